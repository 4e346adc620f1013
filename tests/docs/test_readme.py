"""The curl walk is executed as it stands; commands and links of the pages lead somewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from service.cli.main import COMMANDS
from tests.cli.running import Up
from tests.docs.shown import ROOT, walk

PAGES = [f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))]
REFUSED = re.compile(r"^(follow-suit|no-points-on-first-trick|lead-two-of-clubs)$", re.MULTILINE)
BROKEN = re.compile(r"chain.*failed.*20")


@pytest.mark.processes
def test_the_curl_walk_plays_a_game_and_verifies_it(tmp_path: Path) -> None:
    with Up(tmp_path / "data") as up:
        here = walk("API=http://127.0.0.1:8000").replace("http://127.0.0.1:8000", up.address)
        here = here.replace(".venv/bin/", f"{Path(sys.executable).parent}/")
        here = here.replace("/tmp/elsinore", f"{tmp_path}/elsinore")
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", here],
            check=False,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=os.environ | {"no_proxy": "*"},
        )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    told = done.stdout
    assert "'winners'" in told
    assert "event: view" in told
    assert REFUSED.search(told)
    assert BROKEN.search(told)


def test_every_make_target_the_documents_name_is_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md"):
        named = set(re.findall(r"`make ([a-z -]+?)`", page.read_text()))
        assert {word for names in named for word in names.split()} <= targets


def test_every_command_is_in_the_readme_and_no_other() -> None:
    commands = (ROOT / "README.md").read_text().partition("## The command line")[2]
    rows = re.findall(r"^\| (`.*?`.*) \|$", commands, re.MULTILINE)
    named = {word.split()[0] for row in rows for word in re.findall(r"`([a-z][^`]*)`", row)}

    assert named - {"elsinore"} == set(COMMANDS)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", *PAGES])
def test_every_link_to_a_file_leads_somewhere(page: str) -> None:
    place = (ROOT / page).parent
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text())

    assert {link for link in links if not (place / link).exists()} == set()
