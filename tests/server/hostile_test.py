"""Enemies by the thousand and with patience; after each the server serves as before."""
import contextlib
import gzip
import json
import re
import resource
import socket
import time
import zlib

import pytest

from hostile_messages import GET, HIDING, NO_MESSAGES, chunked, length, post
from running_server import PATIENCE_S, RunningServer, SENTENCE, SLOWER, at_the_same_time, exchange, read_all, statuses, wait_until

CLOSE = GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")


@pytest.fixture
def server(server):
    yield server
    assert server.extract(text=SENTENCE).status == 200


# Requests within requests

@pytest.mark.parametrize("name", HIDING)
def test_a_hidden_request_is_never_answered(server, name):
    received = exchange(server, HIDING[name], half_close=False)
    assert len(statuses(received)) == 1 and b"smuggled" not in received, received
    assert not any("smuggled" in line for line in server.log)


@pytest.mark.parametrize("name, words", {
    "two lengths": "Content-Length", "negative": "Content-Length", "length and chunks": "Transfer-Encoding", "identity": "chunked",
    "no host": "Host", "chunk: not hex": "chunk", "chunk: beyond 64 bits": "chunk", "NUL in a header": "value"}.items())
def test_what_is_wrong_is_said(server, name, words):
    received = exchange(server, NO_MESSAGES[name], half_close=False)
    error = json.loads(received.split(b"\r\n\r\n", 1)[1])["error"]
    assert words in error["message"], error


def test_2000_requests_behind_each_other(server):
    received = exchange(server, GET * 2000 + CLOSE, half_close=False)
    assert statuses(received) == [200] * 2001


# Sizes

def test_limits_are_named(server):
    for data, status, words in (
            (b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 200_000, 431, "16384 bytes (--max-header)"),
            (b"GET /" + b"a" * 1_000_000, 431, "--max-header"), (b"GET / HTTP/1.1\r\nX: " + b"a" * 1_000_000, 431, "--max-header"),
            (post(b"", b"Content-Length: 2097153"), 413, "2097152 bytes (--max-body)"), (chunked(*[b" " * 65536] * 40), 413, "--max-body")):
        received = exchange(server, data)
        assert statuses(received) == [status] and words.encode() in received, received


def bombs():
    packed = zlib.compressobj(1, zlib.DEFLATED, 31)
    small = b"".join(packed.compress(bytes(1 << 20)) for _ in range(200)) + packed.flush()  # 200 MB in one
    return {"gzip": small, "x-gzip": small, "GZIP": small, "deflate": zlib.compress(b"\0" * (1 << 20)), "br": b"\x81", "zstd": b"\x28\xb5\x2f\xfd",
            "gzip, gzip": gzip.compress(small), "identity, gzip": small}


def test_packed_bodies_are_refused_unread(server):
    before = server.metrics()["diffie_resident_memory_bytes"]
    for encoding, body in bombs().items():
        received = exchange(server, post(body, length(body), b"Content-Encoding: " + encoding.encode()))
        assert statuses(received) == [415] and encoding.lower().encode() in received
        assert statuses(exchange(server, post(body, b"Transfer-Encoding: %s, chunked" % encoding.encode()))) == [400]
    assert server.metrics()["diffie_resident_memory_bytes"] - before < 8 << 20


NUMBERS = ["-1", "0", "{beyond}", "1e308", "-1e308", "1.5", '"1"', "true", "null", "[1]", "{{}}", "18446744073709551616"]


@pytest.mark.parametrize("path, field, beyond", [("/v1/extract", "deadline_ms", 3_600_001), ("/v1/trace", "trajectories", 65)])
def test_numbers_that_are_none(server, path, field, beyond):
    text = '"text": ""' if path == "/v1/extract" else '"sentence": "a"'
    for number in NUMBERS:
        answer = server.ask("POST", path, f'{{{text}, "{field}": {number.format(beyond=beyond)}}}')
        assert (answer.status, answer.error["code"], answer.error["field"]) == (400, "invalid_argument", field), number
    for number in ("NaN", "Infinity", "-Infinity", "nan", "0x10", "01", "+1", "1.", ".5", "1e999", "--1"):
        for body in (f'{{{text}, "{field}": {number}}}', f'{{{text}, "options": {{"min_confidence": {number}}}}}'):
            answer = server.ask("POST", path, body)
            assert (answer.status, answer.error["code"]) == (400, "invalid_argument"), number


# Time

@pytest.mark.parametrize("data", [
    GET[:-2] + b"X: " + b"a" * 2000, post(b" " * 2000, b"Content-Length: 2000"), chunked(*[b" "] * 500),
    chunked(last=b"0\r\nX: " + b"a" * 2000), chunked(last=b"1;" + b"a" * 2000)], ids=["head", "body", "chunks", "trailer", "extension"])
def test_a_request_byte_by_byte_has_an_end(impatient, data):
    begin = len(data) - 1900 if data.startswith(b"POST") else 0  # what comes fast, then what does not
    start = time.monotonic()
    received = drip_behind(impatient, data[:begin], data[begin:])
    assert statuses(received) == [408] and b"--receive-ms 1500" in received
    assert time.monotonic() - start > 1.4
    assert impatient.extract(text=SENTENCE).status == 200


def drip_behind(server, fast, slow):
    with server.socket() as client:
        client.sendall(fast)
        received = b""
        client.settimeout(0.05)
        for byte in slow:
            try:
                client.sendall(bytes([byte]))
                received = client.recv(1000)
                break
            except TimeoutError:
                continue
            except OSError:
                break
        client.settimeout(PATIENCE_S)
        return received + read_all(client)


@pytest.mark.parametrize("taken", [0, 1], ids=["nothing", "a byte now and then"])
def test_an_answer_that_is_not_taken_has_an_end(impatient, taken):
    before = impatient.metrics()["diffie_connections"]
    with contextlib.closing(socket.socket()) as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        lazy.connect((impatient.host, impatient.port))
        request = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
        lazy.sendall(request * 1000)  # more than any buffer between us holds
        wait_until(lambda: impatient.metrics()["diffie_connections"] > before)
        assert impatient.extract(text=SENTENCE).status == 200

        def left():
            if taken:
                with contextlib.suppress(OSError):
                    lazy.recv(taken)
            return impatient.metrics()["diffie_connections"] <= before
        wait_until(left)


# Numbers

@contextlib.contextmanager
def many_descriptors():
    """As many as this system allows; a server that is started inherits it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        yield min(10_000, hard - 200) if hard != resource.RLIM_INFINITY else 10_000
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_10000_silent_connections():
    with many_descriptors() as count, RunningServer("--max-connections", "20000") as running, contextlib.ExitStack() as stack:
        assert running.extract(text=SENTENCE).status == 200
        before = running.metrics()["diffie_resident_memory_bytes"]
        held = [stack.enter_context(running.socket()) for _ in range(count)]
        for client in held[::10]:
            client.sendall(b"GET /heal")  # and a tenth that began to ask
        wait_until(lambda: running.metrics()["diffie_connections"] > count)
        for _ in range(20):
            assert running.get("/healthz").status == 200
        assert running.extract(text=SENTENCE).status == 200
        if SLOWER == 1:  # sanitizers have memory of their own for every byte
            assert running.metrics()["diffie_resident_memory_bytes"] - before < count * 20_000
        held[1].sendall(CLOSE)
        assert statuses(read_all(held[1])) == [200]
        running.signal()
        assert running.wait() == 0


def test_silent_connections_keep_nobody_out():
    """More than are allowed: who has been silent longest goes."""
    with RunningServer("--max-connections", "50") as running, contextlib.ExitStack() as stack:
        held = [stack.enter_context(running.socket()) for _ in range(200)]
        for client in held[150::2]:
            client.sendall(b"GET /heal")
        for _ in range(10):
            assert running.get("/healthz").status == 200
            assert running.extract(text=SENTENCE).status == 200
        assert read_all(held[0]) == b""
        assert running.metrics()["diffie_connections"] <= 55


def is_served(server):
    for _ in range(3):
        assert server.get("/healthz").status == 200
    assert server.extract(text=SENTENCE).status == 200
    return True


def test_a_soft_limit_of_descriptors_is_raised():
    with RunningServer("--max-connections", "300", descriptors=(64, 1000)) as running, contextlib.ExitStack() as stack:
        held = [stack.enter_context(running.socket()) for _ in range(280)]
        assert is_served(running)
        for client in held:  # none was sent away
            client.sendall(CLOSE)
            assert statuses(read_all(client)) == [200]
        assert not any("connections at most" in line for line in running.log)


def test_where_there_are_fewer_descriptors_there_are_fewer_connections():
    with RunningServer(descriptors=(100, 200)) as running, contextlib.ExitStack() as stack:
        said = json.loads(running.wait_for_log("connections at most"))["event"]
        assert re.fullmatch(r"(\d+) connections at most, not 1024: the system allows 200 open files \(ulimit -n\)", said)
        held = [stack.enter_context(running.socket()) for _ in range(300)]
        assert is_served(running)
        assert read_all(held[0]) == b""
        assert running.metrics()["diffie_connections"] <= int(said.split()[0]) + 5
        assert sum("connections at most" in line for line in running.log) == 1


def test_where_no_descriptor_is_left_who_is_silent_goes():
    with RunningServer() as running, contextlib.ExitStack() as stack:
        assert is_served(running)
        resource.prlimit(running.process.pid, resource.RLIMIT_NOFILE, (60, 60))  # fewer than it was told
        held = [stack.enter_context(running.socket()) for _ in range(200)]
        start = time.monotonic()
        assert is_served(running)
        assert time.monotonic() - start < PATIENCE_S / 4
        assert read_all(held[0]) == b""


def test_who_asks_is_not_sent_away_for_who_is_silent():
    long_text = " ".join(f"Ada Lovelace wrote program {number} in London." for number in range(60))
    with RunningServer("--max-connections", "5") as running, contextlib.ExitStack() as stack:
        asked = [stack.enter_context(contextlib.closing(running.connect())) for _ in range(4)]
        for connection in asked:
            connection.request("POST", "/v1/extract", json.dumps({"text": long_text}))
        wait_until(lambda: running.metrics()["diffie_requests_active"] >= 4)
        silent = [stack.enter_context(running.socket()) for _ in range(20)]
        assert running.get("/healthz").status == 200
        for connection in asked:
            response = connection.getresponse()
            assert response.status == 200 and len(json.loads(response.read())["sentences"]) == 60
        assert read_all(silent[0]) == b""


# Memory

BODIES = [b"{" * 1000, b"[" * 100_000, b'{"text": "\xff"}', b'{"text": 1}', b'{"text": "a", "options": {"top_k": -1}}',
          b'{"text": "a", "options": {"no_such": 1}}', b'{"text": "a", "model": "none"}', b'{"text": "a", "format": "none"}',
          b'{"sentences": [' + b'"",' * 250_000 + b'""]}', b'{"sentences": ["' + b"a" * 20_001 + b'"]}', b'{"text": "a", "text": "b"}',
          b'{"documents": [' + b'{"text": ""},' * 5000 + b'{}]}']


@pytest.mark.skipif(SLOWER > 1, reason="sanitizers keep what is freed for a while")
def test_memory_of_work_that_is_over_goes_back():
    """Engines for eight settings with what a large call of each needs (50 MB), and large bodies, all at once."""
    with RunningServer() as running:
        def resident():
            return running.metrics()["diffie_resident_memory_bytes"]

        many = [f"Ada Lovelace met the {number} members of the committee in London." for number in range(200)]
        bodies = [{"sentences": many, "options": {"top_k": 1 + each}} for each in range(8)] + [{"sentences": [""] * 250_000}] * 8
        at_the_same_time([lambda body=body: running.extract(**body) for body in bodies])
        work = resident()
        deadline = time.monotonic() + 30
        while resident() > work - (25 << 20):
            assert time.monotonic() < deadline, f"{resident():,} of {work:,} bytes are still there"
            time.sleep(0.5)


@pytest.mark.skipif(SLOWER > 1, reason="sanitizers keep what is freed for a while")
def test_memory_does_not_grow_with_bad_requests(server):
    """Of every kind there is here, by the hundred: less than a megabyte for each hundred."""
    bad = [data + GET for data in NO_MESSAGES.values()] + list(HIDING.values()) + [post(body, length(body)) for body in BODIES] + [
        b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 10_000, b"GET /" + b"a" * 100_000, post(b"x" * 50_000, b"Content-Length: 99999999"),
        post(b"\0" * 50_000, b"Content-Length: 50000", b"Content-Encoding: gzip"), chunked(*[b" " * 65536] * 40), post(b"{", b"Content-Length: 50")]

    def ask_all():
        for data in bad:
            exchange(server, data)
        return server.metrics()["diffie_resident_memory_bytes"]

    for _ in range(3):
        ask_all()  # what is allocated once
    before = ask_all()
    rounds = 4
    after = [ask_all() for _ in range(rounds)][-1]
    per_100 = (after - before) / (rounds * len(bad)) * 100
    print(f"{rounds * len(bad)} bad requests: {after - before:.0f} bytes more")
    assert per_100 < 1_000_000
