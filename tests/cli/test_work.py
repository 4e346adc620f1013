"""How many workers are run where nobody says."""

import click
import pytest

from service.cli.up import up
from service.cli.work import work


@pytest.mark.parametrize("command", [up, work], ids=lambda command: str(command.name))
@pytest.mark.parametrize(("cores", "workers"), [(None, 1), (1, 1), (2, 2), (8, 2)])
def test_a_second_worker_runs_where_there_is_a_second_core(
    monkeypatch: pytest.MonkeyPatch, command: click.Command, cores: int | None, workers: int
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    given = command.make_context(str(command.name), [])
    assert given.params["workers"] == workers
