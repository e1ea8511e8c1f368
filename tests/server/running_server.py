"""The server as a process, clients for it, and the command line to compare it with.

DIFFIE_SERVER and DIFFIE are the programs, by default those of build/release.
"""
import contextlib
import http.client
import json
import os
import pathlib
import queue
import re
import resource
import signal
import socket
import ssl
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVER = os.environ.get("DIFFIE_SERVER", str(ROOT / "build/release/diffie-server"))
DIFFIE = os.environ.get("DIFFIE", str(ROOT / "build/release/diffie"))
SLOWER = float(os.environ.get("DIFFIE_TEST_PATIENCE", "1"))  # how many times slower a program with sanitizers may be
PATIENCE_S = 60 * SLOWER  # for what must happen; only a failure takes that long

SENTENCE = "Ada Lovelace wrote the first program."
TEXT = (
    "Ada Lovelace wrote the first program. It was published in 1843, and Charles Babbage designed the machine.\n\n"
    "Marie Curie, a physicist, discovered radium in Paris. She did not patent the process.\n"
    "Die Stra\u00dfe liegt in Wien; \U0001F600 smiled at Zo\u00eb. Could Bob leave London?\n"
)


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        return self.json()["error"]


class RunningServer:
    """Ends with the `with` block. `log` is what it has written to standard error, line by line."""

    def __init__(self, *options, models=("small",), environment=None, descriptors=None):
        """`descriptors`: how many files and sockets it may have open, (softly, at the most)."""
        command = [SERVER, "--port", "0"]
        for model in models:
            command += ["--model", model]
        self.process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, cwd=ROOT, env={**os.environ, **(environment or {})},
                                        preexec_fn=descriptors and (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, descriptors)))
        self.log = []
        self.reader = threading.Thread(target=self._read_log, daemon=True)
        self.reader.start()
        line = self.process.stdout.readline()
        found = re.search(r"listening on (https?)://(\S+):(\d+)", line)
        if not found:
            self.process.wait(PATIENCE_S)
            self.reader.join(PATIENCE_S)
            raise RuntimeError(f"ended with {self.process.returncode}: {self.log}")
        self.scheme, self.host, self.port = found[1], found[2], int(found[3])

    def _read_log(self):
        for line in self.process.stderr:
            self.log.append(line.rstrip("\n"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()  # one that is killed counts no coverage
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait(PATIENCE_S)
        self.reader.join(PATIENCE_S)
        self.process.stdout.close()
        self.process.stderr.close()

    @property
    def url(self):
        return f"{self.scheme}://{self.host}:{self.port}"

    def connect(self, timeout=PATIENCE_S):
        if self.scheme == "https":
            return http.client.HTTPSConnection(self.host, self.port, timeout=timeout, context=trusting())
        return http.client.HTTPConnection(self.host, self.port, timeout=timeout)

    def ask(self, method, path, body=None, headers=None):
        """One request on a connection of its own."""
        with contextlib.closing(self.connect()) as connection:
            return ask(connection, method, path, body, headers)

    def get(self, path, headers=None):
        return self.ask("GET", path, headers=headers)

    def extract(self, request=None, headers=None, **fields):
        return self.ask("POST", "/v1/extract", json.dumps({**(request or {}), **fields}), headers)

    def metrics(self):
        """By name, with labels as in the text. The request for them is not among the active ones."""
        values = {}
        for line in self.get("/metrics").body.decode().splitlines():
            if not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                values[name] = float(value)
        values["diffie_requests_active"] -= 1
        return values

    def socket(self):
        return socket.create_connection((self.host.strip("[]"), self.port), timeout=PATIENCE_S)

    def stream(self):
        """A socket, encrypted where the server is."""
        plain = self.socket()
        return trusting().wrap_socket(plain) if self.scheme == "https" else plain

    def signal(self, number=signal.SIGTERM):
        self.process.send_signal(number)

    def wait(self):
        code = self.process.wait(PATIENCE_S)
        self.reader.join(PATIENCE_S)
        return code

    def wait_for_log(self, fragment, after=0):
        return wait_until(lambda: next((line for line in self.log[after:] if fragment in line), None))


def trusting():
    """For TLS with whoever it is."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def ask(connection, method, path, body=None, headers=None):
    connection.request(method, path, body.encode() if isinstance(body, str) else body, headers or {})
    response = connection.getresponse()
    return Answer(response.status, response.headers, response.read())


def wait_until(condition, timeout_s=PATIENCE_S):
    """What the condition says when it is true at last."""
    end = time.monotonic() + timeout_s
    while True:
        if found := condition():
            return found
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def command_line(text, *options, code=0):
    """What `diffie extract` prints; a name in place of the text reads that."""
    done = subprocess.run([DIFFIE, "extract", "--model", "small", *options], input=text.encode(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, timeout=PATIENCE_S)
    assert done.returncode == code, done.stderr
    return done.stdout


def at_the_same_time(functions):
    """Calls all of them, each in a thread; their results in order, or the first exception."""
    results = queue.Queue()

    def call(index, function):
        try:
            results.put((index, function(), None))
        except BaseException as error:  # noqa: BLE001: raised below
            results.put((index, None, error))

    threads = [threading.Thread(target=call, args=each, daemon=True) for each in enumerate(functions)]
    for thread in threads:
        thread.start()
    found = sorted((results.get(timeout=2 * PATIENCE_S) for _ in threads), key=lambda each: each[0])
    for _, _, error in found:
        if error:
            raise error
    return [value for _, value, _ in found]


def exchange(server, data, half_close=True):
    """Sends raw bytes, and reads until the server closes the connection."""
    with server.socket() as client:
        with contextlib.suppress(OSError):
            client.sendall(data)
            if half_close:
                client.shutdown(socket.SHUT_WR)
        return read_all(client)


def read_all(client):
    received = b""
    with contextlib.suppress(ConnectionError):
        while part := client.recv(65536):
            received += part
    return received


def statuses(received):
    """Of all answers that stand in these bytes. Bodies of ours never hold such a line."""
    return [int(status) for status in re.findall(rb"^HTTP/1\.[01] (\d{3}) ", received, re.MULTILINE)]
