"""Every command, request and script that a page shows is run by a test; see `tests.docs.shown`."""

import pytest

from tests.docs import shown
from tests.docs.shown import Shown

PAGE = """
Say `elsinore replay
FILE` or `.venv/bin/elsinore …`; a `--data` and `make` are no commands. `GET …/log` and `/readyz`.

| `elsinore` | |
|---|---|
| `export GAME`, `status` | out |

```sh
make run     # and wait
.venv/bin/elsinore status
```

```sh restore
cp -a backups/today restored
elsinore rebuild --data restored
```

```toml
make = "no"
```
"""


def test_what_a_page_shows_is_found_with_its_line() -> None:
    found = {(one.kind, one.text.split("\n")[0], one.line) for one in shown.shown_in(PAGE, "page")}
    assert found == {
        ("typed", "elsinore replay FILE", 2),
        ("asked", "GET …/log", 3),
        ("typed", "elsinore export GAME", 7),
        ("typed", "elsinore status", 7),
        ("typed", "make run", 10),
        ("typed", "elsinore status", 11),
        ("script", "cp -a backups/today restored", 15),
    }


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("typed", "elsinore frobnicate"),
        ("typed", "elsinore replay FILE --backwards"),
        ("asked", "GET /v1/teapot"),
        ("script", "rm -rf var\n"),
    ],
)
def test_what_no_test_runs_is_told(kind: shown.Kind, text: str) -> None:
    assert not shown.is_run(Shown(kind, text, "page", 1))


def test_everything_on_the_pages_is_run_by_a_test() -> None:
    assert shown.shown()
    assert [str(one) for one in shown.shown() if not shown.is_run(one)] == []


def test_everything_that_tests_name_is_on_a_page() -> None:
    on_pages = {(one.kind, one.text) for one in shown.shown()}
    lines = {line for one in shown.scripts() for line in shown.lines_of(one)}
    gone = [
        str(name)
        for name in shown.named()
        if (name.kind, name.text) not in on_pages
        and (name.kind not in {"script", "walk"} or name.text not in lines)
    ]
    assert gone == []
