import subprocess

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


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """Options of a server that encrypts."""
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                    "2", "-subj", "/CN=localhost", "-keyout", folder / "key.pem", "-out", folder / "certificate.pem"],
                   check=True, capture_output=True)
    return ["--tls-certificate", str(folder / "certificate.pem"), "--tls-key", str(folder / "key.pem")]
