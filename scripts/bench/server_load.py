#!/usr/bin/env python3
"""The server's speed beside the command line's, in one run on one machine; prints the table of docs/server.md.

    scripts/bench/server_load.py --input sentences.txt [--seconds 20] [--clients 64] [--rounds 3] [--soak 600]

Rounds of `diffie extract --lines` and of clients with one sentence a request take turns; the medians are compared. Needs `make lab server`.
"""
import argparse
import asyncio
import json
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

BUILD = pathlib.Path(__file__).resolve().parents[2] / "build" / "release"


class Server:
    def __init__(self, arguments):
        self.process = subprocess.Popen([BUILD / "diffie-server", "--port", "0", "--no-log", *arguments], stdout=subprocess.PIPE, text=True)
        self.port = int(re.search(r":(\d+)$", self.process.stdout.readline().strip()).group(1))

    def resident_megabytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024

    def stop(self):
        self.process.terminate()
        return self.process.wait()


class Client:
    """One connection, kept alive."""

    async def open(self, port):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        return self

    async def ask(self, method, path, body=b""):
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        self.writer.write(head.encode() + body)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"Content-Length: (\d+)", answer).group(1))
        content = await self.reader.readexactly(length)
        status = int(answer.split(b" ", 2)[1])
        if status != 200:
            raise RuntimeError(f"{path}: {status} {content[:200]!r}")
        return content


async def one_sentence_each(port, sentences, clients, seconds, settle=2.0):
    """Requests a second after the first moments, and their latencies."""
    bodies = [json.dumps({"sentences": [each]}).encode() for each in sentences]
    begin = time.monotonic() + settle
    end = begin + seconds
    latencies = []

    async def run(number):
        client = await Client().open(port)
        while (start := time.monotonic()) < end:
            await client.ask("POST", "/v1/extract", bodies[number % len(bodies)])
            if start >= begin:
                latencies.append(time.monotonic() - start)
            number += clients

    await asyncio.gather(*(run(number) for number in range(clients)))
    return len(latencies) / seconds, latencies


async def with_health(port, sentences, clients, seconds):
    """The same, while /healthz is asked for every 20 ms."""
    health = []
    client = await Client().open(port)
    load = asyncio.create_task(one_sentence_each(port, sentences, clients, seconds))
    while not load.done():
        start = time.monotonic()
        await client.ask("GET", "/healthz")
        health.append(time.monotonic() - start)
        await asyncio.sleep(0.02)
    return (await load)[0], health


async def alone(port, sentences, count):
    client = await Client().open(port)
    latencies = []
    for number in range(count):
        body = json.dumps({"sentences": [sentences[number % len(sentences)]]}).encode()
        start = time.monotonic()
        await client.ask("POST", "/v1/extract", body)
        latencies.append(time.monotonic() - start)
    return latencies


def command_line(sentences, seconds):
    """Sentences a second of `diffie extract`, start-up taken off by a run of one sentence."""

    def run(lines):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("\n".join(lines) + "\n")
            file.flush()
            start = time.monotonic()
            subprocess.run([BUILD / "diffie", "extract", "--lines", "-f", "jsonl", file.name], stdout=subprocess.DEVNULL, check=True)
            return time.monotonic() - start

    start_up = run(sentences[:1])
    once = run(sentences) - start_up
    times = max(1, round(seconds / once))
    return len(sentences) * times / (run(sentences * times) - start_up)


def engine_latency_ms(input_file, count):
    """The median of one sentence at a time through the library, by `diffie bench`."""
    command = [BUILD / "diffie-lab", "bench", "--input", input_file, "--latency", str(count), "--repeat", "1", "--starts", "0", "--limit", str(count), "--json"]
    found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return found["rows"][0]["latency"]["p50_ms"]


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", required=True, help="sentences, one a line")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=200, help="sentences asked for one by one")
    parser.add_argument("--soak", type=float, default=0, help="seconds of load over which memory is watched")
    arguments = parser.parse_args()
    sentences = [line.strip() for line in open(arguments.input, encoding="utf-8") if line.strip()]

    server = Server([])
    shell, http, health = [], [], []
    for _ in range(arguments.rounds):
        shell.append(command_line(sentences, arguments.seconds))
        rate, latencies = asyncio.run(with_health(server.port, sentences, arguments.clients, arguments.seconds))
        http.append(rate)
        health += latencies
    print(f"command line: {[round(each, 1) for each in shell]} sentences/s")
    print(f"server, {arguments.clients} clients, a sentence a request: {[round(each, 1) for each in http]} sentences/s")
    print(f"share: {statistics.median(http) / statistics.median(shell):.1%}")
    print(f"/healthz under that load: p50 {percentile(health, .5) * 1e3:.2f} ms, p99 {percentile(health, .99) * 1e3:.2f} ms, n = {len(health)}")

    engine, single = [], []
    for _ in range(arguments.rounds):
        engine.append(engine_latency_ms(arguments.input, arguments.count))
        single.append(percentile(asyncio.run(alone(server.port, sentences, arguments.count)), .5) * 1e3)
    print(f"one sentence alone, p50: engine {[round(each, 2) for each in engine]} ms, server {[round(each, 2) for each in single]} ms, "
          f"{statistics.median(single) / statistics.median(engine):.2f}x")

    if arguments.soak:
        before = server.resident_megabytes()
        step = arguments.soak / 10
        sizes = []
        for _ in range(10):
            asyncio.run(one_sentence_each(server.port, sentences, arguments.clients, step, settle=0))
            sizes.append(server.resident_megabytes())
        print(f"memory over {arguments.soak:.0f} s of load: {before:.1f} MB before, then {[round(each, 1) for each in sizes]}")
    print(f"exit code {server.stop()}")


if __name__ == "__main__":
    main()
