import pytest

from service.services import Services
from tests.service.tables import Table, memory_services


@pytest.fixture
def services() -> Services:
    return memory_services()


@pytest.fixture
def table(services: Services) -> Table:
    """Four people at a table of Hearts who have yet to sit down."""
    return Table(services)
