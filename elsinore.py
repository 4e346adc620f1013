"""The command `elsinore`, which does not start among packages of other people's.

A module beside ours, for any of ours may be the one that another distribution has replaced.
"""

import sys
from importlib.metadata import packages_distributions

OURS = "elsinore"
PACKAGES = ("domain", "events", "service", "workers")


def main() -> None:
    """Ends with a sentence where another distribution has a package of one of our names."""
    installed = packages_distributions()
    for package in PACKAGES:
        if others := sorted({*installed.get(package, ())} - {OURS}):
            sys.exit(
                f"elsinore cannot start: the package `{package}` also comes from another "
                f"distribution, {' and '.join(others)}; "
                "install elsinore in an environment of its own."
            )
    from service.cli.main import main as commands  # noqa: PLC0415 - only now is it known to be ours

    commands()


if __name__ == "__main__":
    main()
