# GNU make 3.81 or newer; Python 3.11 or newer, another one by `make run PYTHON=python3.12`.
PYTHON ?= python3
PORT ?= 8000
DATA ?= var

BIN := .venv/bin
# Processes of tests: one more than there are cores, for some tests wait.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(1 + (os.cpu_count() or 1))')
KILLS ?= 50
CLIENTS ?= 1000
STREAMS ?= 2000
TAMPERINGS ?= 1000
PACKAGES := domain events workers service benchmarks
FAST := $(wildcard tests/domain tests/events tests/examples tests/properties)
GAME ?= hearts

.DEFAULT_GOAL := help
.PHONY: help setup run demo test test-fast test-game check openapi golden faults differential tampering trips bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

setup: .venv/ready-run .venv/ready-test .venv/ready-dev .venv/ready-bench ## install everything that developing needs

# A recipe that needs the shell runs its command in the shell's place: make passes a signal on to its
# own child only.
run: .venv/ready-run ## start the service, workers and embedded servers (PORT=8000 DATA=var)
	exec $(BIN)/elsinore up --port "$(PORT)" --data "$(DATA)"

demo: .venv/ready-run ## play, replay and audit one game of every ruleset
	$(BIN)/elsinore demo

# Compiled files are kept, whatever the environment says: tests are collected in half the time, and
# the processes that they start are started sooner.
test test-fast test-game faults differential tampering: export PYTHONDONTWRITEBYTECODE :=

test: .venv/ready-test ## all tests, with the coverage of domain and events
	$(BIN)/pytest -n $(WORKERS) --dist worksteal --cov

test-fast: .venv/ready-test ## the tests of domain, events and examples that need no process
	exec $(BIN)/pytest -n $(WORKERS) -m "not processes and not slow" $(FAST)

test-game: .venv/ready-test ## the laws, rulings and golden games of one game (GAME=hearts)
	exec $(BIN)/pytest -n $(WORKERS) -m "not processes and not slow" --game "$(GAME)" \
	  tests/domain tests/properties tests/games tests/golden

check: setup ## formatting, lint, types, import contracts, file lengths, openapi.yaml
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@find $(PACKAGES) -name '*.py' -exec awk \
	  'FNR == 301 { print FILENAME ": more than 300 lines"; long = 1 } END { exit long }' {} +
	@if [ -f openapi.yaml ]; then $(BIN)/elsinore openapi | diff -u openapi.yaml - \
	  || { echo "openapi.yaml is stale: make openapi" >&2; exit 1; }; fi

openapi: .venv/ready-run ## write openapi.yaml anew
	$(BIN)/elsinore openapi > openapi.yaml.new && mv openapi.yaml.new openapi.yaml

golden: .venv/ready-test ## write the golden logs anew
	$(BIN)/python -m tests.golden.write

faults: .venv/ready-test ## kill, stop and cut off everything for longer (KILLS=50 CLIENTS=1000 STREAMS=2000)
	exec env KILLS="$(KILLS)" CLIENTS="$(CLIENTS)" STREAMS="$(STREAMS)" $(BIN)/pytest -s tests/faults

differential: .venv/ready-test ## play against the referees only
	$(BIN)/pytest -n $(WORKERS) tests/differential

tampering: .venv/ready-test ## tamper with more logs, for two checkers to find it (TAMPERINGS=1000)
	exec env TAMPERINGS="$(TAMPERINGS)" $(BIN)/pytest -n $(WORKERS) tests/independent

trips: .venv/ready-run ## count the files that requests visit, and their hops between files
	exec $(BIN)/python -m benchmarks.trips

bench: .venv/ready-run .venv/ready-bench ## measure: a table and JSON lines
	exec $(BIN)/python -m benchmarks

clean: ## remove the virtual environment and all caches, but no data
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache \
	  .hypothesis .coverage .coverage.*
	find $(PACKAGES) tests -name __pycache__ -type d -prune -exec rm -rf {} +

# One stamp per set of packages: `run` needs no test tools. A changed list installs again.
.venv/ready-run: EXTRA :=
.venv/ready-test: EXTRA := [test]
.venv/ready-dev: EXTRA := [dev]
.venv/ready-bench: EXTRA := [bench]

.venv/ready-%: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Elsinore needs Python 3.11 or newer, $(PYTHON) is not: make PYTHON=python3.12 ..." >&2; \
	  exit 1; }
	@$(BIN)/python -m pip --version > /dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.$(EXTRA)'
	@touch $@
