"""Beginning, end, models that are loaded again, clients that leave, and turns."""
import contextlib
import http.client
import io
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import time

import pytest

from running_server import (PATIENCE_S, ROOT, SERVER, RunningServer, SENTENCE, SLOWER, ask, at_the_same_time,
                            read_all, trusting, wait_until)

DRAIN = ("--drain-ms", str(round(30_000 * SLOWER)))  # the server's own, for one that may be slow
BOOK = [f"Ada Lovelace wrote program {number} in London, and Charles Babbage read it." for number in range(3000)]


def begin(server, **request):
    """A request whose answer is not waited for."""
    connection = server.connect()
    connection.request("POST", "/v1/extract", json.dumps(request))
    return connection


# The beginning

def test_a_device_that_is_not_there():
    with RunningServer("--device", "auto") as server:
        why = server.wait_for_log("on the CPU")
        assert json.loads(why)["event"].startswith("model 'small': on the CPU: ")
        for _ in range(2):
            assert server.extract(text=SENTENCE).json()["sentences"][0]["extractions"]
        assert len([line for line in server.log if "on the CPU" in line]) == 1
    refused = subprocess.run([SERVER, "--model", f"{ROOT}/models/small", "--port", "0", "--device", "cuda"],
                             capture_output=True, text=True, timeout=PATIENCE_S)
    assert refused.returncode == 2
    assert refused.stderr.startswith("diffie: device is cuda: ") and refused.stderr.count("\n") == 1


# The end

def test_sigterm_answers_what_is_under_way():
    with RunningServer(*DRAIN) as server, contextlib.ExitStack() as stack:
        idle = [stack.enter_context(contextlib.closing(server.connect())) for _ in range(2)]
        for connection in idle:
            assert ask(connection, "GET", "/readyz").status == 200
        asked = [stack.enter_context(contextlib.closing(begin(server, sentences=BOOK[number:number + 40])))
                 for number in range(20)]
        wait_until(lambda: server.metrics()["diffie_requests_active"] >= 20)
        server.signal()
        server.wait_for_log("draining")
        probe = ask(idle[0], "GET", "/readyz")
        assert (probe.status, probe.error["code"], probe.headers["Connection"]) == (503, "draining", "close")
        with pytest.raises(OSError):
            server.socket()
        for number, connection in enumerate(asked):
            response = connection.getresponse()
            assert response.status == 200
            found = [each["sentence"] for each in json.loads(response.read())["sentences"]]
            assert found == BOOK[number:number + 40]
            connection.close()
        assert server.wait() == 0  # though one connection is still open


def test_sigterm_answers_what_was_sent_behind_it():
    asked = [BOOK[number:number + 30] for number in range(6)]
    data = [json.dumps({"sentences": each}).encode() for each in asked]
    with RunningServer(*DRAIN) as server, server.socket() as client:
        client.sendall(b"".join(b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (len(each), each)
                                for each in data))
        wait_until(lambda: server.metrics()["diffie_requests_active"] >= 1)
        server.signal()
        received = read_all(client)
        assert server.wait() == 0
    bodies = [part.split(b"\r\n\r\n", 1)[1] for part in received.split(b"HTTP/1.1 200 OK")[1:]]
    assert [[each["sentence"] for each in json.loads(body)["sentences"]] for body in bodies] == asked


def encrypted(server, client):
    """A handshake: what encrypts what is to be sent, and what decrypts what was received, to its end."""
    received, to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = trusting().wrap_bio(received, to_send)
    while True:
        with contextlib.suppress(ssl.SSLWantReadError):
            tls.do_handshake()
            break
        client.sendall(to_send.read())
        received.write(client.recv(65536))

    def encrypt(data):
        tls.write(data)
        return to_send.read()

    def decrypt(data):
        received.write(data)
        received.write_eof()
        found = b""
        with contextlib.suppress(ssl.SSLError):
            while part := tls.read(65536):
                found += part
        return found

    client.sendall(to_send.read())
    return encrypt, decrypt


@pytest.mark.parametrize("records", [1, 4])
def test_sigterm_answers_what_was_sent_behind_it_over_tls(records, certificate):
    """All of it has been received, and is decrypted when it is its turn."""
    asked = [BOOK[number:number + 30] for number in range(4)]
    data = [b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
            for body in (json.dumps({"sentences": each}).encode() for each in asked)]
    with RunningServer(*DRAIN, *certificate) as server, server.socket() as client:
        encrypt, decrypt = encrypted(server, client)
        client.sendall(b"".join(encrypt(each) for each in (data if records > 1 else [b"".join(data)])))
        wait_until(lambda: server.metrics()["diffie_requests_active"] >= 1)
        server.signal()
        received = decrypt(read_all(client))
        assert server.wait() == 0
    bodies = [part.split(b"\r\n\r\n", 1)[1] for part in received.split(b"HTTP/1.1 200 OK")[1:]]
    assert [[each["sentence"] for each in json.loads(body)["sentences"]] for body in bodies] == asked


@pytest.mark.parametrize("at_once", [False, True])
def test_sigterm_and_a_part_of_a_record(at_once, certificate):
    """What may be the beginning of a request is waited for as a head is."""
    with RunningServer("--receive-ms", "1000", *certificate) as server, server.socket() as client:
        encrypt, _ = encrypted(server, client)
        client.sendall(encrypt(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        server.wait_for_log("/healthz")
        if at_once:
            server.signal(signal.SIGSTOP)
        client.sendall(encrypt(b"GET /he")[:9])
        start = time.monotonic()
        server.signal()
        server.signal(signal.SIGCONT)
        assert server.wait() == 0
        assert time.monotonic() - start < PATIENCE_S / 4


def test_sigterm_answers_what_was_connected_and_not_yet_taken():
    asked = [BOOK[number:number + 2] for number in range(40)]
    with RunningServer(*DRAIN) as server, contextlib.ExitStack() as stack:
        server.signal(signal.SIGSTOP)  # what comes now waits in the system's queue
        clients = []
        for each in asked:
            clients.append(stack.enter_context(server.socket()))
            body = json.dumps({"sentences": each}).encode()
            clients[-1].sendall(b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        server.signal()
        server.signal(signal.SIGCONT)
        for each, client in zip(asked, clients, strict=True):
            head, body = read_all(client).split(b"\r\n\r\n", 1)
            assert head.startswith(b"HTTP/1.1 200 OK")
            assert [found["sentence"] for found in json.loads(body)["sentences"]] == each
        assert server.wait() == 0


@pytest.mark.parametrize("encrypted", [False, True])
def test_sigterm_answers_what_came_over_open_connections(encrypted, certificate):
    with RunningServer(*DRAIN, *(certificate if encrypted else [])) as server, contextlib.ExitStack() as stack:
        clients = [stack.enter_context(contextlib.closing(server.connect())) for _ in range(20)]
        for each in clients:
            assert ask(each, "GET", "/healthz").status == 200
        server.signal(signal.SIGSTOP)
        for number, each in enumerate(clients[::2]):  # the others have nothing to ask
            each.request("POST", "/v1/extract", json.dumps({"sentences": [BOOK[number]]}))
        server.signal()
        server.signal(signal.SIGCONT)
        for number, each in enumerate(clients[::2]):
            response = each.getresponse()
            assert response.status == 200
            assert [found["sentence"] for found in json.loads(response.read())["sentences"]] == [BOOK[number]]
        assert server.wait() == 0


def test_sigterm_and_nothing_to_do():
    with RunningServer() as server, contextlib.closing(server.connect()) as idle, server.socket() as silent:
        assert ask(idle, "GET", "/healthz").status == 200
        start = time.monotonic()
        server.signal()
        assert server.wait() == 0
        assert time.monotonic() - start < PATIENCE_S / 2
        assert read_all(silent) == b""


def test_sigint_ends_it_too():
    with RunningServer() as server:
        server.signal(signal.SIGINT)
        assert server.wait() == 0


def test_a_second_signal_ends_it_at_once():
    with RunningServer() as server, contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.closing(begin(server, text=" ".join(BOOK))))
        wait_until(lambda: server.metrics()["diffie_queue_sentences"] > 0)
        for _ in range(3):  # and traces, of which one is computed and others wait
            client = stack.enter_context(server.socket())
            body = json.dumps({"sentence": SENTENCE * 400}).encode()
            client.sendall(b"POST /v1/trace HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        server.signal()
        server.wait_for_log("draining")
        start = time.monotonic()
        server.signal()
        assert server.wait() == 1
        assert time.monotonic() - start < PATIENCE_S / 2


def test_draining_has_an_end():
    with RunningServer("--drain-ms", "300") as server, contextlib.closing(begin(server, text=" ".join(BOOK * 3))):
        wait_until(lambda: server.metrics()["diffie_queue_sentences"] > 0)
        server.signal()
        assert server.wait() == 1
        assert any("given up" in line for line in server.log)


# Models

@pytest.fixture
def folder(tmp_path):
    shutil.copytree(ROOT / "models/small", tmp_path / "model")
    return tmp_path / "model"


def test_sighup_under_load(folder):
    with RunningServer(models=[f"mine={folder}"]) as server:
        wanted = server.extract(sentences=BOOK[:20]).json()

        def client():
            answers = []
            with contextlib.closing(server.connect()) as connection:
                for _ in range(12):
                    answers.append(ask(connection, "POST", "/v1/extract", json.dumps({"sentences": BOOK[:20]})))
            return answers

        def reload():
            for count in range(1, 4):
                server.signal(signal.SIGHUP)
                wait_until(lambda: sum("loaded again" in line for line in server.log) >= count)

        *answers, _ = at_the_same_time([client] * 4 + [reload])
        for answer in sum(answers, []):
            assert answer.status == 200 and answer.json() == wanted


def test_sighup_with_a_broken_folder_keeps_the_old_model(folder):
    with RunningServer(models=[f"mine={folder}"]) as server:
        wanted = server.extract(text=SENTENCE).json()
        for break_it in (lambda: (folder / "config.json").write_text("{"), lambda: shutil.rmtree(folder)):
            seen = len(server.log)
            break_it()
            server.signal(signal.SIGHUP)
            server.wait_for_log("stays as it was", after=seen)
            assert server.extract(text=SENTENCE).json() == wanted
            assert server.get("/readyz").status == 200
        shutil.copytree(ROOT / "models/small", folder)
        server.signal(signal.SIGHUP)
        server.wait_for_log("loaded again")
        assert server.extract(text=SENTENCE).json() == wanted


def test_several_models_by_name(folder):
    with RunningServer(models=["small", f"second={folder}"]) as server:
        assert [each["name"] for each in server.get("/v1/models").json()["models"]] == ["small", "second"]
        first, second = (server.extract(text=SENTENCE, model=name).json() for name in ("small", "second"))
        assert (first["model"], second["model"]) == ("small", "second")
        assert first["sentences"] == second["sentences"]
        assert server.extract(text=SENTENCE).json() == first
        assert server.extract(text=SENTENCE, model="third").status == 404


@pytest.mark.parametrize("options", [["--model", "no-such-model"], ["--model", "small", "--model", "small"],
                                     ["--model", "=models/small"], ["--model", "caf\udce9=models/small"],
                                     ["--model", "small", "--address", "not.an.address"], ["--port", "70000"],
                                     ["--max-body", "0"], ["--deadline-ms", "-1"], ["--no-such"]])
def test_what_cannot_be_served_is_said_in_one_line(options):
    done = subprocess.run([SERVER, "--port", "0", *options], capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE_S)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("diffie: ") and done.stderr.count("\n") == 1


def test_an_occupied_port():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = subprocess.run([SERVER, "--port", str(port)], capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"diffie: cannot listen on 127.0.0.1 port {port}: Address already in use\n"


def test_diffie_serve_hands_over():
    with RunningServer() as server:
        assert server.port > 0 and server.host == "127.0.0.1"
    diffie = os.path.join(os.path.dirname(SERVER), "diffie")
    process = subprocess.Popen([diffie, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert "listening on http://127.0.0.1:" in process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_S) == 0
    process.stdout.close()


# Clients

@pytest.fixture(scope="module")
def server():
    with RunningServer() as running:
        yield running


@pytest.mark.parametrize("format_", ["json", "jsonl"])
def test_who_leaves_is_not_worked_for(server, format_):
    before = server.metrics()
    connection = begin(server, sentences=BOOK, format=format_)
    wait_until(lambda: server.metrics()["diffie_queue_sentences"] > 0)
    connection.close()
    found = at_the_same_time([lambda: server.extract(sentences=BOOK[:8]).json()["sentences"]] * 4)  # who stays is served
    assert all(len(sentences) == 8 for sentences in found)
    after = wait_until(lambda: (now := server.metrics())["diffie_queue_sentences"] == 0 and now)
    assert after["diffie_requests_cancelled_total"] == before["diffie_requests_cancelled_total"] + 1
    assert after["diffie_sentences_total"] - before["diffie_sentences_total"] < len(BOOK) / 2
    assert after["diffie_requests_active"] == 0


def test_who_leaves_before_it_is_his_turn_costs_nothing(server):
    """Two large bodies at a time are read and cut into sentences; the others wait for that."""
    before = server.metrics()
    body = json.dumps({"text": "U.S. " * 300_000}).encode()
    for _ in range(20):
        with server.socket() as client:
            client.sendall(b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    name = "diffie_requests_cancelled_total"
    after = wait_until(lambda: (now := server.metrics())[name] == before[name] + 20 and now)
    assert after["diffie_request_sentences_count"] - before["diffie_request_sentences_count"] < 10


def test_who_does_not_read_keeps_nobody_waiting(server):
    with server.socket() as lazy:
        body = json.dumps({"sentences": [SENTENCE] * 200, "format": "jsonl"}).encode()
        lazy.sendall(b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body) * 3)
        assert server.extract(text=SENTENCE).status == 200


def test_a_trace_whose_client_leaves_is_stopped(server):
    before = server.metrics()["diffie_requests_cancelled_total"]
    body = json.dumps({"sentence": SENTENCE * 500}).encode()
    clients = [server.socket() for _ in range(4)]
    for client in clients:
        client.sendall(b"POST /v1/trace HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    wait_until(lambda: server.metrics()["diffie_requests_active"] >= 1)
    for client in clients:
        client.close()
    wait_until(lambda: server.metrics()["diffie_requests_active"] == 0)
    assert server.metrics()["diffie_requests_cancelled_total"] > before
    request = json.dumps({"sentence": SENTENCE})
    wait_until(lambda: server.ask("POST", "/v1/trace", request).status == 200)


def quantile(values, share):
    return sorted(values)[int(share * (len(values) - 1))]


def seconds_of(server, **request):
    start = time.monotonic()
    assert server.extract(**request).status == 200
    return time.monotonic() - start


def test_a_book_does_not_keep_a_sentence_waiting(server):
    with contextlib.closing(begin(server, text=" ".join(BOOK))) as book:
        start = time.monotonic()
        wait_until(lambda: server.metrics()["diffie_queue_sentences"] > 2000)
        singles = [seconds_of(server, text=SENTENCE) for _ in range(10)]
        other_options = [seconds_of(server, text=SENTENCE, options={"top_k": 3}) for _ in range(5)]
        assert server.metrics()["diffie_queue_sentences"] > 0
        assert book.getresponse().status == 200
        whole = time.monotonic() - start
    assert quantile(singles, 0.5) < whole / 10
    assert quantile(other_options, 0.5) < whole / 10


def test_a_text_without_an_end_does_not_keep_a_sentence_waiting(server):
    endless = "a quick brown fox and many more words that nobody ended " * 1700  # five sentences of the longest kind
    with contextlib.closing(begin(server, text=endless, options={"preset": "fast"})) as slow:
        start = time.monotonic()
        wait_until(lambda: server.metrics()["diffie_queue_sentences"] > 0)
        singles = [seconds_of(server, text=SENTENCE) for _ in range(5)]
        response = slow.getresponse()
        assert response.status == 200
        assert len(json.loads(response.read())["sentences"]) >= 5
        whole = time.monotonic() - start
    assert quantile(singles, 0.5) < whole / 4


POISON = ["", " ", "\u0000", "a" * 20000, "(" * 5000, "\u202e\u200d" * 500, "\U0001F600" * 300, "e\u0301" * 2000, "[CLS] [SEP] [MASK]",
          "\ufffd" * 100, "\n", "-LRB- `` ''", "." * 1000]


def test_poison_among_good_sentences(server):
    sentences = [each for poison in POISON for each in (SENTENCE, poison)]
    alone = server.extract(sentences=[SENTENCE]).json()["sentences"][0]
    found = server.extract(sentences=sentences).json()["sentences"]
    assert [each["sentence"] for each in found] == sentences
    assert all(each == alone for each in found[::2])


# The log

def test_a_line_for_each_request_without_what_users_write():
    with RunningServer() as running:
        assert running.extract(text="Xanthippe wrote a secret.").status == 200
        assert running.extract(text="Xanthippe", options={"top_k": 0}).status == 400
        running.ask("POST", "/?properties={'outputFormat':'json','Xanthippe':'1'}", "Xanthippe left.")
        running.get('/none%07%0a%ff"')
        lines = wait_until(lambda: len(running.log) == 4 and running.log)
        records = [json.loads(line) for line in lines]
        assert not any("Xanthippe" in line for line in lines)
        assert [(each["route"], each["status"]) for each in records] == [("extract", 200), ("extract", 400), ("corenlp", 200),
                                                                         ("none", 404)]
        assert [each.get("error") for each in records] == [None, "invalid_argument", None, "not_found"]
        assert [each["sentences"] for each in records] == [1, 0, 1, 0]
        for each in records:
            assert {"time", "id", "remote", "method", "path", "ms", "bytes_in", "bytes_out", "triples"} <= set(each)
        assert [each["id"] for each in records] == [1, 2, 3, 4]


def test_the_log_with_text_and_without_requests():
    with RunningServer("--log-text") as running:
        running.extract(text="Xanthippe wrote a secret.")
        assert "Xanthippe" in json.loads(running.wait_for_log("extract"))["text"]
    with RunningServer("--no-log") as running:
        running.extract(text=SENTENCE)
        running.signal()
        assert running.wait() == 0
        assert [list(json.loads(line)) for line in running.log] == [["time", "id", "event"]]


@contextlib.contextmanager
def logging_to(descriptor):
    """A server whose log is this: the process, and one connection to it."""
    process = subprocess.Popen([SERVER, "--port", "0"], stdout=subprocess.PIPE, stderr=descriptor, text=True, cwd=ROOT)
    try:
        port = int(process.stdout.readline().rsplit(":", 1)[1])
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S / 4)) as connection:
            yield process, connection
    finally:
        process.kill()
        process.wait(PATIENCE_S)
        process.stdout.close()


def test_a_log_that_nobody_reads_keeps_nobody_waiting():
    count = 12_000  # lines, more than are kept for one who reads them late
    reader, writer = os.pipe()
    with open(reader, "rb", buffering=0) as log, logging_to(writer) as (process, connection):
        os.close(writer)
        path = "/none" + "x" * 195
        for number in range(count):
            assert ask(connection, "GET", path).status == 404, number
        assert ask(connection, "GET", "/ping").status == 200  # a line comes after its answer: the last one of these is there now
        lines, written = [], io.BufferedReader(log)
        while not lines or "event" not in lines[-1]:
            lines.append(json.loads(written.readline()))
        lost = int(lines[-1]["event"].split(" lines of the log are lost here")[0])
        assert ask(connection, "GET", "/live").status == 200
        while lines[-1].get("path") != "/live":  # that of /ping is lost, or before this one
            lines.append(json.loads(written.readline()))
        assert lost > 100 and sum(line.get("path") in (path, "/ping") for line in lines) + lost == count + 1
        process.terminate()
        assert process.wait(PATIENCE_S) == 0


def test_a_log_that_nobody_reads_keeps_no_end_waiting():
    reader, writer = os.pipe()
    with logging_to(writer) as (process, connection):
        os.close(writer)
        for _ in range(1000):
            assert ask(connection, "GET", "/ping").status == 200
        process.terminate()
        assert process.wait(PATIENCE_S / 4) == 0
    os.close(reader)


def test_a_log_that_is_closed_or_does_not_wait_does_no_harm():
    reader, writer = os.pipe()
    with logging_to(writer) as (process, connection):
        os.close(writer)
        os.close(reader)
        for _ in range(10):
            assert ask(connection, "GET", "/ping").status == 200
        process.terminate()
        assert process.wait(PATIENCE_S) == 0
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with open(reader, "rb") as log, logging_to(writer) as (process, connection):
        os.close(writer)
        for _ in range(1000):  # more than a pipe holds
            assert ask(connection, "GET", "/ping").status == 200
        process.terminate()
        ids = [json.loads(line)["id"] for line in log]
        assert ids == list(range(1, 1002))  # and that it was draining
        assert process.wait(PATIENCE_S) == 0


def test_the_end_loses_no_line():
    with RunningServer() as running:
        with contextlib.closing(running.connect()) as connection:
            for _ in range(2000):
                assert ask(connection, "GET", "/ping").status == 200
        running.signal()
        assert running.wait() == 0
        assert [json.loads(line)["id"] for line in running.log] == list(range(1, 2002))
