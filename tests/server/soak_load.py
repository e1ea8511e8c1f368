"""Clients of every kind, good and bad, for as long as it takes; what each was answered is compared with what it must be."""
import asyncio
import collections
import json
import random
import re
import socket
import struct
import time

from hostile_messages import GET, NO_MESSAGES, chunked, post
from running_server import command_line

SENTENCES = [f"{who} {did} {what} in {where}{rest}." for who, did, what, where, rest in zip(
    ["Ada Lovelace", "Charles Babbage", "Marie Curie", "The committee of the town", "Zo\u00eb", "A man who knew nobody"] * 8,
    ["wrote", "designed", "discovered", "did not publish", "might have seen"] * 10,
    ["the first program", "a machine of brass", "radium and polonium", "its report on the floods of the year before"] * 12,
    ["London", "K\u00f6ln", "Paris", "the Black Forest", "1843", "the house that her father had built", "Rome"] * 7,
    ["", ", and sold it", ", said the newspaper", " before the war"] * 12)]
BOOK = " ".join(SENTENCES * 30)
OPTIONS = [{"top_k": number} for number in range(1, 11)] + [{"preset": "fast"}, {"min_confidence": 0.7}, {"split_coordination": True}]

# What is refused by what it says: body, status, field.
BAD_BODIES = [
    (b"{" * 1000, 400, None), (b"[" * 50_000, 400, None), (b'{"text": "\xff"}', 400, None), (b'{"text": 1}', 400, "text"),
    (b'{"text": "a", "options": {"top_k": -1}}', 400, "options.top_k"), (b'{"text": "a", "options": {"top_k": 1e308}}', 400, "options.top_k"),
    (b'{"text": "a", "options": {"min_confidence": "1"}}', 400, "options.min_confidence"), (b'{"text": "a", "model": "none"}', 404, "model"),
    (b'{"text": "a", "format": "none"}', 400, "format"), (b'{"sentences": ["' + b"a" * 20_001 + b'"]}', 400, "sentences[0]"),
    (b'{"sentences": [' + b'"",' * 250_000 + b'""]}', 400, None)]
BAD_HEADS = [
    (b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 10_000, 431), (b"GET /" + b"a" * 100_000, 431), (b"GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    (post(b"x" * 50_000, b"Content-Length: 99999999"), 413), (chunked(*[b" " * 65536] * 40), 413),
    (post(b"\x1f\x8b", b"Content-Encoding: gzip", b"Content-Length: 2"), 415), (b"PUT /v1/extract HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    (b"GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403)]


class Expected:
    """The command line's bits."""

    def __init__(self):
        lines = command_line("\n".join(SENTENCES) + "\n", "--lines", "--format", "jsonl").splitlines()
        self.lines = dict(zip(SENTENCES, lines, strict=True))

    def streamed(self, sentences):
        return b"".join(self.lines[each] + b"\n" for each in sentences)

    def whole(self, sentences):
        return b'{"model": "small", "preset": "balanced", "sentences": [' + b",\n".join(self.lines[each] for each in sentences) + b"]}\n"


class Broken(Exception):
    """The connection ended within an answer, or before it."""


class Client:
    """A connection on which requests may be sent behind each other."""

    @classmethod
    async def open(cls, port):
        self = cls()
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        return self

    async def send(self, data):
        self.writer.write(data)
        await self.writer.drain()

    async def receive(self):
        """(status, body, whether it was the last)"""
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
            body = b""
            if length := re.search(rb"\r\nContent-Length: (\d+)", head):
                body = await self.reader.readexactly(int(length[1]))
            elif b"\r\nTransfer-Encoding: chunked" in head:
                while size := int(await self.reader.readuntil(b"\r\n"), 16):
                    body += (await self.reader.readexactly(size + 2))[:-2]
                await self.reader.readexactly(2)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise Broken(str(error)) from error
        return int(head.split(b" ", 2)[1]), body, b"\r\nConnection: close" in head

    def close(self, reset=False):
        if reset:
            option = struct.pack("ii", 1, 0)
            self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, option)
        self.writer.close()


class Load:
    """Runs clients until `end()`; counts, and keeps what was wrong."""

    def __init__(self, port, seed=1):
        self.port = port
        self.random = random.Random(seed)
        self.expected = Expected()
        self.answered = collections.Counter()
        self.wrong = []
        self.lost = []  # sent before the signal, and not answered
        self.under_way = 0  # at the signal
        self.signalled_at = None
        self.first_seen = {}
        self.going = asyncio.Event()
        self.going.set()
        self.busy = 0  # clients that are asking

    def kinds(self):
        return [*[self.single] * 12, *[self.pipelined] * 2, *[self.streaming] * 3, *[self.options] * 2, self.trace, *[self.hostile] * 2,
                *[self.refused] * 2, *[self.leaving] * 3, self.slow_head, self.slow_reader, self.page]

    async def run(self):
        await asyncio.gather(*(self.client(kind) for kind in self.kinds()))

    async def client(self, kind):
        while self.signalled_at is None:
            await self.going.wait()
            self.busy += 1
            try:
                await kind()
            except (ConnectionError, Broken) as error:
                if self.signalled_at is None:
                    self.wrong.append(f"{kind.__name__}: {error!r}")
                    await asyncio.sleep(0.1)
            except AssertionError as error:
                self.wrong.append(f"{kind.__name__}: {error}"[:300])
            finally:
                self.busy -= 1

    async def pause(self):
        """Until everybody has what he has asked for; `going.set()` goes on."""
        self.going.clear()
        while self.busy:
            await asyncio.sleep(0.05)

    async def ask(self, client, requests):
        """Sends them together; the answers in order. One that was sent before the signal must come."""
        for request in requests:
            client.writer.write(request)
        await client.writer.drain()
        return await self.await_answers(client, requests, time.monotonic())

    async def await_answers(self, client, requests, sent_at):
        answers = []
        try:
            for _ in requests:
                answers.append(await client.receive())
        except Broken as error:
            if self.signalled_at is None or sent_at < self.signalled_at:
                self.lost.append(f"{len(answers)} of {len(requests)} answers: {error!r}, {requests[0][:60]!r}")
            raise
        finally:
            if self.signalled_at is not None and sent_at < self.signalled_at:
                self.under_way += len(requests)
        return answers

    def request(self, body, path="/v1/extract", accept="*/*"):
        data = json.dumps(body).encode()
        return f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data

    def some(self, count):
        return self.random.sample(SENTENCES, count)

    def check(self, kind, answer, status, body):
        assert answer[:2] == (status, body), f"{answer[0]} {answer[1][:100]!r}, wanted {status} {body[:100]!r}"
        self.answered[kind] += 1

    async def single(self):
        """A connection with some requests, one after another."""
        client = await Client.open(self.port)
        try:
            for _ in range(self.random.randint(1, 50)):
                sentences = self.some(self.random.choice([1, 1, 1, 2, 5]))
                [answer] = await self.ask(client, [self.request({"sentences": sentences})])
                self.check("single", answer, 200, self.expected.whole(sentences))
                if answer[2]:
                    return
        finally:
            client.close()

    async def pipelined(self):
        client = await Client.open(self.port)
        asked = [self.some(1) for _ in range(6)]
        try:
            answers = await self.ask(client, [self.request({"sentences": each}) for each in asked])
        finally:
            client.close()
        for sentences, answer in zip(asked, answers, strict=True):
            self.check("pipelined", answer, 200, self.expected.whole(sentences))

    async def streaming(self):
        client = await Client.open(self.port)
        sentences = self.some(30)
        try:
            [answer] = await self.ask(client, [self.request({"sentences": sentences}, accept="application/x-ndjson")])
        finally:
            client.close()
        self.check("streaming", answer, 200, self.expected.streamed(sentences))

    async def repeatable(self, kind, body, path="/v1/extract"):
        """The same as when it was first asked for."""
        request = self.request(body, path)
        client = await Client.open(self.port)
        try:
            [answer] = await self.ask(client, [request])
        finally:
            client.close()
        if path == "/v1/trace" and answer[0] == 429:
            return
        self.check(kind, answer, 200, self.first_seen.setdefault(request, answer[1]))

    async def options(self):
        await self.repeatable("options", {"sentences": SENTENCES[:2], "options": self.random.choice(OPTIONS)})

    async def trace(self):
        await self.repeatable("trace", {"sentence": self.random.choice(SENTENCES[:5])}, "/v1/trace")
        await asyncio.sleep(0.2)

    async def page(self):
        for path in ("/", "/web/main.js", "/openapi.json", "/v1/models", "/metrics", "/readyz"):
            client = await Client.open(self.port)
            try:
                [answer] = await self.ask(client, [f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()])
            finally:
                client.close()
            assert answer[0] == 200 or self.signalled_at is not None, f"{path}: {answer[0]}"
            self.answered["page"] += 1
        await asyncio.sleep(0.2)

    async def hostile(self):
        """No message: refused once, and what stands behind it is not answered."""
        name, data = self.random.choice(list(NO_MESSAGES.items()))
        client = await Client.open(self.port)
        try:
            [answer] = await self.ask(client, [data + GET])
            with_more = await client.reader.read(1)
        finally:
            client.close()
        assert answer[0] in (400, 411) and not with_more, f"{name}: {answer[0]} {with_more!r}"
        self.answered["no message"] += 1
        await asyncio.sleep(0.05)

    async def refused(self):
        client = await Client.open(self.port)
        try:
            if self.random.random() < 0.5:
                body, status, field = self.random.choice(BAD_BODIES)
                [answer] = await self.ask(client, [post(body, b"Content-Length: %d" % len(body))])
                assert (answer[0], json.loads(answer[1])["error"].get("field")) == (status, field), f"{answer} {status} {field}"
            else:
                data, status = self.random.choice(BAD_HEADS)
                [answer] = await self.ask(client, [data])
                assert answer[0] == status, f"{answer[0]} {status}"
        finally:
            client.close()
        self.answered["refused"] += 1
        await asyncio.sleep(0.05)

    async def leaving(self):
        """Asks for much and goes away, politely or not; or in the middle of a request."""
        client = await Client.open(self.port)
        request = self.request({"text": BOOK}, accept=self.random.choice(["*/*", "application/x-ndjson"]))
        cut = self.random.choice([len(request), len(request), self.random.randrange(len(request))])
        await client.send(request[:cut])
        await asyncio.sleep(self.random.random())
        client.close(reset=self.random.random() < 0.5)
        self.answered["left"] += 1

    async def slow_head(self):
        client = await Client.open(self.port)
        sentences = self.some(1)
        request = self.request({"sentences": sentences})
        for begin in range(0, len(request), 16):
            await asyncio.sleep(0.02)
            await client.send(request[begin:begin + 16])
        try:
            [answer] = await self.await_answers(client, [request], time.monotonic())
        finally:
            client.close()
        self.check("slow", answer, 200, self.expected.whole(sentences))

    async def slow_reader(self):
        client = await Client.open(self.port)
        client.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sentences = SENTENCES * 4
        request = self.request({"sentences": sentences}, accept="application/x-ndjson")
        await client.send(request)
        sent_at = time.monotonic()
        client.writer.transport.pause_reading()
        await asyncio.sleep(1)
        client.writer.transport.resume_reading()
        try:
            [answer] = await self.await_answers(client, [request], sent_at)
        finally:
            client.close()
        self.check("slow reader", answer, 200, self.expected.streamed(sentences))
