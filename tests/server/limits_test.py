"""What the server refuses, as an enemy would try it: raw bytes, too many, too slow, too often."""
import contextlib
import email.utils
import http.client
import json
import pathlib
import re
import resource
import socket
import subprocess
import time

import pytest

from hostile_messages import BODY, GET, NO_MESSAGES, chunked, length, post
from running_server import (PATIENCE_S, RunningServer, SENTENCE, SLOWER, ask, at_the_same_time, exchange, read_all,
                            statuses, wait_until)

LONG = " ".join(f"Ada Lovelace wrote program {number} in London." for number in range(3000))


# Messages that are well made

def test_chunks_of_any_size(server):
    for data in (chunked(BODY), chunked(*[BODY[i:i + 1] for i in range(len(BODY))]),
                 chunked(BODY, last=b"0;a=b\r\nSum: 1\r\n\r\n"),
                 post(b"%X;name=\"v;\\\"\"\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY), b"Transfer-Encoding: Chunked")):
        received = exchange(server, data + GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"), half_close=False)
        assert statuses(received) == [200, 200]


def test_65537_chunks_of_a_byte(server):
    text = b'{"text": "' + b" " * 65537 + b'"}'
    assert statuses(exchange(server, chunked(*[text[i:i + 1] for i in range(len(text))]), half_close=True))[:1] == [200]


def test_pipelined_requests_are_answered_in_order(server):
    requests = [post(body, length(body)) for body in
                (json.dumps({"text": f"Ada met Bob {number}.", "format": "tsv"}).encode() for number in range(20))]
    close = GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    received = exchange(server, b"".join(requests) + close, half_close=False)
    assert statuses(received) == [200] * 21
    found = [int(number) for number in re.findall(rb"Ada met Bob (\d+)\.", received)]
    assert found == sorted(found) and set(found) == set(range(20))


def test_http_1_0(server):
    received = exchange(server, post(BODY, length(BODY), version=b"1.0"), half_close=False)
    assert received.startswith(b"HTTP/1.0 200 ") and b"chunked" not in received
    body = json.dumps({"sentences": [SENTENCE] * 3, "format": "jsonl"}).encode()
    received = exchange(server, post(body, length(body), version=b"1.0"), half_close=False)
    assert b"chunked" not in received and len(received.split(b"\r\n\r\n", 1)[1].splitlines()) == 3
    assert statuses(exchange(server, b"GET /healthz HTTP/1.0\r\n\r\n", half_close=False)) == [200]


@pytest.mark.parametrize("fields, answers", [
    ([b"x", b"close"], 1), ([b"x, close"], 1), ([b"keep-alive", b"CLOSE"], 1), ([b"x", b"upgrade"], 2), ([b"closed"], 2)])
def test_who_says_anywhere_that_it_is_the_last_is_believed(server, fields, answers):
    """A list of headers of one name is one list."""
    data = GET.replace(b"\r\n\r\n", b"".join(b"\r\nConnection: " + each for each in fields) + b"\r\n\r\n")
    close = GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    assert statuses(exchange(server, data + close, half_close=False)) == [200] * answers


def test_expect_100_continue(server):
    with server.socket() as client:
        client.sendall(post(b"", length(BODY), b"Expect: 100-continue", b"Connection: close"))
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(BODY)
        assert statuses(read_all(client)) == [200]


def test_expect_is_refused_before_the_body_comes(server):
    with server.socket() as client:
        client.sendall(post(b"", b"Content-Length: 99999999", b"Expect: 100-continue"))
        assert statuses(read_all(client)) == [413]


@pytest.mark.parametrize("target, status", [
    (b"http://localhost/healthz", 200), (b"HTTP://127.0.0.1:80/healthz?a", 200), (b"http://localhost", 200),
    (b"http://evil.example/healthz", 403), (b"*", 404), (b"localhost:80", 404), (b"//healthz", 404), (b"/healthz#a", 404),
    (b"/%68ealthz", 200), (b"/healthz%", 404), (b"/healthz%zz", 404)])
def test_forms_of_a_target(server, target, status):
    request = b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert statuses(exchange(server, request, half_close=False)) == [status]


def test_empty_lines_before_a_request(server):
    """What some send behind a body is passed over, a little of it."""
    close = GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    assert statuses(exchange(server, b"\r\n" + close, half_close=False)) == [200]
    received = exchange(server, (post(BODY, length(BODY)) + b"\r\n") * 3 + b"\r\n" + close, half_close=False)
    assert statuses(received) == [200] * 4
    assert statuses(exchange(server, b"\r\n" * 3 + close, half_close=False)) == [400]
    for nothing in (b"\n", b"\r", b"\r\r\n", b" \r\n", b"\r\n\n"):
        assert statuses(exchange(server, nothing + close, half_close=False)) == [400], nothing
    assert exchange(server, b"\r\n") == b""
    with server.socket() as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for part in (b"\r", b"\n", b"\r", b"\n" + close):
            client.sendall(part)
            time.sleep(0.05)
        assert statuses(read_all(client)) == [200]


def test_answers_have_their_date(server):
    for path, status in (("/healthz", 200), ("/none", 404), ("/", 200)):
        answer = server.get(path)
        assert answer.status == status
        assert abs(email.utils.parsedate_to_datetime(answer.headers["Date"]).timestamp() - time.time()) < PATIENCE_S
    stream = server.extract(text=SENTENCE, format="jsonl")
    assert stream.status == 200 and stream.headers["Date"].endswith(" GMT")


# Messages that are not

@pytest.mark.parametrize("name, data", NO_MESSAGES.items(), ids=lambda each: each if isinstance(each, str) else "")
def test_never_two_answers_to_what_is_no_message(server, name, data):
    """What comes behind it may be a request that somebody hid."""
    received = exchange(server, data + GET, half_close=False)
    assert statuses(received) in ([400], [411]), received


def test_a_chunk_that_says_it_is_huge(server):
    assert statuses(exchange(server, chunked(last=b"FFFFFFFFFFFFFFF\r\na" + GET), half_close=False)) in ([413], [400])


def test_a_folded_header_is_one_value_or_none(server):
    data = post(BODY, b"Content-Length:\r\n %d" % len(BODY), b"Connection: close")
    assert statuses(exchange(server, data + GET, half_close=False)) in ([200], [400])
    data = post(b"0\r\n\r\n", b"Content-Length: 5", b"X: a\r\n Transfer-Encoding: chunked", b"Connection: close")
    assert len(statuses(exchange(server, data, half_close=False))) == 1


def test_post_needs_a_length(server):
    assert statuses(exchange(server, post(b""), half_close=False)) == [411]


def test_too_large_by_its_length(server):
    received = exchange(server, post(b"x" * 100_000, b"Content-Length: 2097153"))
    assert statuses(received) == [413] and b'"too_large"' in received


def test_too_large_is_a_request_like_others():
    """Who may ask comes first, and the log says what was asked."""
    too_large = b"Content-Length: 2097153"
    with RunningServer("--origin", "https://app.example") as running:
        received = exchange(running, post(b"", too_large, b"Origin: https://app.example", b"Content-Type: application/json"))
        assert statuses(received) == [413] and b"\r\nAccess-Control-Allow-Origin: https://app.example\r\n" in received
        logged = json.loads(running.wait_for_log("too_large"))
        assert [logged[name] for name in ("method", "path", "route")] == ["POST", "/v1/extract", "extract"]
        for status, request in ((403, post(b"", too_large, b"Origin: https://evil.example")), (404, post(b"", too_large, path=b"/none")),
                                (403, post(b"", too_large).replace(b"localhost", b"evil.example")),
                                (415, post(b"", too_large, b"Content-Encoding: gzip")),
                                (413, GET.replace(b"\r\n\r\n", b"\r\n%s\r\n\r\n" % too_large))):
            assert statuses(exchange(running, request + GET)) == [status]


def test_too_large_by_chunks(server):
    assert statuses(exchange(server, chunked(*[b" " * 65536] * 40))) == [413]


def test_the_largest_body_is_taken(server):
    body = b'{"text": ""}' + b" " * (2 * 1024 * 1024 - 12)
    assert statuses(exchange(server, post(body, length(body), b"Connection: close"), half_close=False)) == [200]


@pytest.mark.parametrize("extra", [b"X: a\r\n" * 200_000, b"X: " + b"a" * 20_000 + b"\r\n"])
def test_too_many_headers(server, extra):
    data = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + extra + b"\r\n"
    received = exchange(server, data)
    assert statuses(received) == [431] and b'"headers_too_large"' in received


def test_an_endless_target(server):
    assert statuses(exchange(server, b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n")) == [431]


@pytest.mark.parametrize("endless", [b"1;" + b"a" * 1_000_000, b"0\r\n" + b"X: a\r\n" * 200_000, b"1" * 1_000_000])
def test_endless_extensions_and_trailers(server, endless):
    assert statuses(exchange(server, chunked(last=endless))) in ([400], [413], [431])


def test_an_answer_that_is_too_large():
    """Three bytes of a request are 800 of an answer."""
    with RunningServer("--max-body", "100000") as running:
        many = [""] * 33_000
        for format_, status in (("ntriples", 413), ("tsv", 200), ("jsonl", 200)):
            answer = running.ask("POST", "/v1/extract", json.dumps({"sentences": many, "format": format_}, separators=(",", ":")))
            assert answer.status == status, format_
            if status == 413:
                assert answer.error["code"] == "too_large" and "25600000 bytes" in answer.error["message"]
        assert running.extract(text=SENTENCE, format="ntriples").status == 200


@pytest.mark.skipif(SLOWER > 1, reason="sanitizers want addresses of their own")
def test_a_body_for_which_there_is_no_memory():
    """More than glibc keeps addresses for, 64 MiB, in one piece and in many."""
    with RunningServer("--max-body", "200000000") as running:
        assert running.extract(text=SENTENCE).status == 200
        status = pathlib.Path(f"/proc/{running.process.pid}/status").read_text()
        addresses = int(re.search(r"VmSize:\s*(\d+) kB", status)[1]) << 10
        resource.prlimit(running.process.pid, resource.RLIMIT_AS, (addresses + (8 << 20), resource.RLIM_INFINITY))
        received = exchange(running, post(BODY, b"Content-Length: 150000000"))
        assert statuses(received) == [503] and b'"exhausted"' in received
        assert statuses(exchange(running, chunked(*[b" " * 1_000_000] * 150))) in ([], [503])
        assert running.get("/healthz").status == 200
        resource.prlimit(running.process.pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert statuses(exchange(running, chunked(*[b" " * 1_000_000] * 100))) == [400]
        assert running.extract(text=SENTENCE).status == 200


def test_packed_bodies_are_not_taken(server):
    received = exchange(server, post(b"\x1f\x8b", b"Content-Encoding: gzip", b"Content-Length: 2"))
    assert statuses(received) == [415] and b'"unsupported_media_type"' in received


@pytest.mark.parametrize("encodings, status", [
    ([b"identity"], 200), ([b"Identity", b"identity"], 200), ([b"identity, identity"], 200), ([b""], 200), ([b","], 200),
    ([b"identity", b"gzip"], 415), ([b"gzip", b"identity"], 415), ([b"identity, gzip"], 415), ([b"identity;q=1"], 415)])
def test_content_encodings_are_a_list(server, encodings, status):
    headers = [b"Content-Encoding: " + each for each in encodings]
    assert statuses(exchange(server, post(BODY, length(BODY), b"Connection: close", *headers), half_close=False)) == [status]


@pytest.mark.parametrize("first, second", [
    (b"Content-Type: application/json", b"Content-Type: text/html"), (b"Content-Type: text/plain", b"content-type: text/plain"),
    (b"Origin: http://localhost", b"Origin: https://evil.example"), (b"Authorization: Bearer a", b"Authorization: Bearer b")])
def test_what_must_be_said_once(server, first, second):
    received = exchange(server, post(BODY, length(BODY), first, second) + GET, half_close=False)
    assert statuses(received) == [400] and first.split(b":")[0] + b" is there 2 times" in received


def test_requests_that_end_too_early_leave_nothing(server):
    before = server.metrics()["diffie_connections"]
    for cut in range(1, 120, 7):
        exchange(server, post(BODY, length(BODY))[:cut])
    wait_until(lambda: server.metrics()["diffie_connections"] <= before)


# Time

def test_a_head_that_does_not_come(impatient):
    start = time.monotonic()
    with impatient.socket() as client:
        received = b""
        client.settimeout(0.1)
        for letter in GET.replace(b"\r\n\r\n", b"\r\nX: " + b"a" * 1000):  # a letter now and then keeps nothing alive
            with contextlib.suppress(OSError):
                client.sendall(bytes([letter]))
            with contextlib.suppress(TimeoutError):
                received = client.recv(1000)
                break
        client.settimeout(PATIENCE_S)
        received += read_all(client)
    assert statuses(received) == [408] and b'"timeout"' in received
    assert 1.4 < time.monotonic() - start < PATIENCE_S


def test_a_body_that_does_not_come(impatient):
    start = time.monotonic()
    with impatient.socket() as client:
        client.sendall(post(BODY[:5], length(BODY)))
        assert statuses(read_all(client)) == [408]
    assert 4.4 < time.monotonic() - start < PATIENCE_S


def test_an_idle_connection_is_closed():
    with RunningServer("--idle-ms", "2000") as running:
        with running.socket() as client:
            assert read_all(client) == b""
        with running.socket() as client:
            client.sendall(GET)
            assert statuses(read_all(client)) == [200]  # the end of it: the server's


def test_others_are_answered_while_many_are_slow(server):
    with contextlib.ExitStack() as stack:
        slow = [stack.enter_context(server.socket()) for _ in range(100)]
        for client in slow:
            client.sendall(b"GET /healthz HT")
        assert server.extract(text=SENTENCE).status == 200


def test_the_deadline(server):
    start = time.monotonic()
    answer = server.extract(text=LONG, deadline_ms=300)
    assert (answer.status, answer.error["code"]) == (504, "deadline")
    assert 0.29 < time.monotonic() - start < PATIENCE_S / 2
    wait_until(lambda: server.metrics()["diffie_queue_sentences"] == 0)


def test_the_deadline_of_a_stream(server):
    sentences = [f"Ada Lovelace wrote program {number} in London." for number in range(20_000)]  # ten seconds of a fast machine
    answer = server.extract(sentences=sentences, format="jsonl", deadline_ms=1500)
    lines = answer.body.splitlines()
    assert answer.status == 200 and len(lines) < len(sentences)
    assert json.loads(lines[-1])["error"]["code"] == "deadline"
    assert all("extractions" in json.loads(line) for line in lines[:-1])


def test_the_deadline_of_a_trace():
    with RunningServer("--deadline-ms", "1") as running:
        request = json.dumps({"sentence": "Ada Lovelace wrote a program in London and " * 400})
        answers = [running.ask("POST", "/v1/trace", request) for _ in range(10)]
        assert answers[0].status == 504 and answers[0].error["code"] == "deadline"
        assert {answer.status for answer in answers} <= {504, 429}  # 429: the last ones are being stopped
        running.signal()
        assert running.wait() == 0


# Numbers

def test_the_queue_is_full():
    with RunningServer("--max-queue", "800") as running:
        with contextlib.ExitStack() as stack:
            for number in range(1, 9):  # each counts for 100
                connection = stack.enter_context(contextlib.closing(running.connect()))
                connection.request("POST", "/v1/extract", json.dumps({"text": LONG}))
                wait_until(lambda: running.metrics()["diffie_queue_sentences"] > 3000 * (number - 0.5))  # it waits, too
            answer = running.extract(text=LONG)
            assert (answer.status, answer.error["code"]) == (429, "queue_full")
            assert 1 <= int(answer.headers["Retry-After"]) <= 600
            assert running.get("/healthz").status == 200
        wait_until(lambda: running.metrics()["diffie_queue_sentences"] == 0)
        assert running.extract(text=SENTENCE).status == 200


def held_by_askers(running, stack, count):
    """So many connections, all of which have asked for something."""
    held = [stack.enter_context(contextlib.closing(running.connect())) for _ in range(count)]
    for connection in held[1:]:
        connection.request("POST", "/v1/extract", json.dumps({"text": LONG}))
    wait_until(lambda: f"diffie_requests_active {count}\n".encode() in ask(held[0], "GET", "/metrics").body)
    held[0].request("POST", "/v1/extract", json.dumps({"text": LONG}))
    return held


def test_too_many_connections():
    with RunningServer("--max-connections", "5") as running, contextlib.ExitStack() as stack:
        held = held_by_askers(running, stack, 5)
        assert statuses(exchange(running, b"", half_close=False)) == [503]  # all five have asked
        for connection in held:
            connection.close()

        def served():
            try:
                return running.get("/healthz").status == 200
            except (ConnectionError, http.client.HTTPException):
                return False
        wait_until(served)


def test_who_finds_no_room_is_told_so_whatever_it_sent():
    with RunningServer("--max-connections", "2") as running, contextlib.ExitStack() as stack:
        held_by_askers(running, stack, 2)
        for size in (0, 10_000, 1_000_000):
            with running.socket() as client:
                client.sendall(post(b" " * size, b"Content-Length: %d" % size))
                received = b""
                while part := client.recv(65536):  # no reset before its end
                    received += part
            assert statuses(received) == [503] and b"\r\nRetry-After: 1\r\n" in received


def test_who_finds_no_room_and_encrypts_is_sent_nothing(certificate):
    with RunningServer("--max-connections", "2", *certificate) as running, contextlib.ExitStack() as stack:
        held_by_askers(running, stack, 2)
        for _ in range(3):
            assert exchange(running, b"", half_close=False) == b""


# Who may ask

def test_names_of_the_host(server):
    for host, status in (("localhost", 200), ("LOCALHOST:99", 200), ("127.0.0.1", 200), ("127.8.9.1:1", 200), ("[::1]:80", 200),
                         ("evil.example", 403), ("localhost.evil.example", 403), ("127.0.0.1.evil.example", 403),
                         (":80", 403), ("evil.example@localhost", 403), ("0.0.0.0", 403)):
        assert server.get("/healthz", {"Host": host}).status == status, host
        answer = server.extract(text="", headers={"Host": host})
        assert answer.status == status


@pytest.mark.parametrize("address", ["0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "localhost"])
def test_a_loopback_address_however_it_is_written(address):
    with RunningServer("--address", address) as running:
        for host, status in (("localhost.", 200), ("[0:0:0:0:0:0:0:1]:1", 200), ("[::ffff:127.0.0.1]", 200),
                             ("evil.example", 403), ("localhost:x", 403), ("127.", 403)):
            request = f"GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
            assert statuses(exchange(running, request, half_close=False)) == [status], host


def test_further_names_of_the_host():
    with RunningServer("--host", "diffie.test", "--host", "Other") as running:
        assert running.get("/", {"Host": "diffie.test:8080"}).status == 200
        assert running.get("/", {"Host": "other"}).status == 200
        assert running.get("/", {"Host": "third"}).status == 403


def test_keys(tmp_path):
    keys = tmp_path / "keys"
    keys.write_text("first-key\r\n\nsecond key\n")
    with RunningServer("--api-keys", str(keys)) as running:
        def status(authorization, path="/v1/extract"):
            headers = {"Authorization": authorization} if authorization is not None else {}
            method, body = ("POST", BODY) if path == "/v1/extract" else ("GET", None)
            answer = running.ask(method, path, body, headers)
            if answer.status == 401:
                assert answer.headers["WWW-Authenticate"] == "Bearer" and answer.error["code"] == "unauthorized"
            return answer.status

        assert status("Bearer first-key") == status("bearer second key") == 200
        for wrong in (None, "", "Bearer", "Bearer ", "Bearer first-ke", "Bearer first-key2", "Bearer FIRST-KEY",
                      "Basic first-key", "first-key", "Bearer first-key\tx", "Bearer " + "k" * 10_000):
            assert status(wrong) == 401, wrong
        for path in ("/v1/models", "/metrics"):
            assert (status(None, path), status("Bearer first-key", path)) == (401, 200)
        for path in ("/healthz", "/readyz", "/", "/openapi.json", "/ping"):
            assert status(None, path) == 200
        for length_ in (b"1000000", b"99999999"):
            assert statuses(exchange(running, post(b"", b"Content-Length: " + length_))) == [401]  # before the body
        assert "security" in running.get("/openapi.json").json()


@pytest.mark.parametrize("content", [None, "", "\n\n"])
def test_a_file_without_keys_is_no_protection(tmp_path, content):
    keys = tmp_path / "keys"
    if content is not None:
        keys.write_text(content)
    with pytest.raises(RuntimeError, match="ended with 2: .*keys"):
        RunningServer("--api-keys", str(keys))


def test_keys_as_editors_leave_them(tmp_path):
    keys = tmp_path / "keys"
    keys.write_bytes(b"\xef\xbb\xbffirst \r\nsecond\t\n")
    with RunningServer("--api-keys", str(keys)) as running:
        for key, status in (("first", 200), ("second", 200), ("third", 401)):
            assert running.get("/v1/models", {"Authorization": "Bearer " + key}).status == status
    keys.write_text("first\nsecond\n", encoding="utf-16")
    with pytest.raises(RuntimeError, match="ended with 2: .*keys: line 1: "):
        RunningServer("--api-keys", str(keys))


@pytest.mark.parametrize("options", [
    ["--api-keys", ""], ["--tls-certificate", "", "--tls-key", ""],
    ["--address", ""], ["--host", ""], ["--host", "diffie.test", "--host", ""], ["--origin", ""], ["--preset", ""],
    ["--device", ""], ["--model", ""]])
def test_an_option_that_is_empty_is_not_one_that_is_missing(options):
    """As of a variable that is not set: a server that asks for no keys, or does not encrypt, is not what was meant."""
    name = options[options.index("") - 1]
    with pytest.raises(RuntimeError, match=f"ended with 2: .*{name}: is empty"):
        RunningServer(*options)


# Encryption

def test_tls(certificate):
    with RunningServer(*certificate, "--receive-ms", "1000") as running:
        assert running.scheme == "https"
        plain = exchange(running, GET)
        assert statuses(plain) == []
        with running.socket() as silent:  # no handshake
            assert read_all(silent) == b""
        found = at_the_same_time([lambda: running.extract(text=SENTENCE, format="jsonl").body] * 8)
        assert len(set(found)) == 1 and json.loads(found[0])["sentence"] == SENTENCE
        with contextlib.closing(running.connect()) as connection:
            answers = [ask(connection, "GET", "/healthz") for _ in range(3)]
            assert [answer.status for answer in answers] == [200] * 3
        running.signal()
        assert running.wait() == 0


def test_a_refusal_reaches_who_still_sends(server, certificate):
    """Were the connection just closed, what comes behind it would make it a reset, and the answer be lost."""
    request = post(b"x" * (1 << 20), b"Content-Length: 2097153")
    with RunningServer(*certificate) as encrypted:
        for running in (server, encrypted):
            with running.stream() as client:
                for begin in range(0, len(request), 16384):
                    client.sendall(request[begin:begin + 16384])
                    time.sleep(0.002)  # so that much of it comes behind the answer
                assert statuses(read_all(client)) == [413], running.scheme


def test_tls_needs_its_files(certificate, tmp_path):
    with pytest.raises(RuntimeError, match="ended with 2"):
        RunningServer("--tls-certificate", certificate[1])
    (tmp_path / "bad.pem").write_text("no key")
    with pytest.raises(RuntimeError, match="ended with 2: .*bad.pem"):
        RunningServer(*certificate[:3], str(tmp_path / "bad.pem"))
