import pytest

from browser_fixtures import browser, mock, site, visit  # noqa: F401: fixtures
from running_server import RunningServer


def pytest_addoption(parser):
    parser.addoption("--screenshots", metavar="DIR", help="write the pictures of the documentation there")


@pytest.fixture(scope="module")
def server():
    with RunningServer() as running:
        yield running


@pytest.fixture(scope="module")
def impatient():
    """Waits a second and a half for a request, or for an answer to be taken."""
    with RunningServer("--receive-ms", "1500") as running:
        yield running
