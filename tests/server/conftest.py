from browser_fixtures import browser, mock, server, visit  # noqa: F401: fixtures


def pytest_addoption(parser):
    parser.addoption("--screenshots", metavar="DIR", help="write the pictures of the documentation there")
