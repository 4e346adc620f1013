"""A worker process as `elsinore work` starts it, whose jobs fail with what nobody may know."""

import logging
import threading
import warnings

from service.cli.ops.processes import single
from tests.workers.test_worker_logs import SECRET
from workers.bot_turns import Turns
from workers.projections.projector import Projecting


def fail(*_: object) -> None:
    raise ZeroDivisionError(SECRET)


def fail_variously(*_: object) -> None:
    warnings.warn("something is old", stacklevel=1)
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    try:
        fail()
    except ZeroDivisionError:
        logging.getLogger("some_library").exception("it went wrong")


if __name__ == "__main__":
    Turns.bot_turn = fail  # type: ignore[assignment, method-assign]
    Projecting.project = fail_variously  # type: ignore[assignment, method-assign]
    single(["worker"])
