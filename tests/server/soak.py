#!/usr/bin/env python3
"""An hour (SOAK_SECONDS) of everything that clients do, on this machine alone; then SIGTERM in the middle of it.

Fails where memory, descriptors or threads grow, an answer is wrong or lost, or /healthz is slow. Memory is looked at
every REST_S, in a pause: the models have just been loaded again, so what is there now and was not before is kept for nothing.
Under load it is shown as well.
"""
import asyncio
import multiprocessing
import os
import pathlib
import re
import signal
import statistics
import sys
import time

from running_server import RunningServer
from soak_load import Client, Load

SECONDS = float(os.environ.get("SOAK_SECONDS", "3600"))
WARM_UP_S = min(600.0, SECONDS / 4)  # until every kind of request has met every other
WINDOW_S = min(300.0, SECONDS / 6)  # of which a median is taken
RELOAD_S = 20.0
REST_S = min(120.0, SECONDS / 10)
SAMPLE_S = 1.0
PROBE_S = 0.05


class Process:
    """What the system says of it."""

    def __init__(self, pid):
        self.folder = pathlib.Path(f"/proc/{pid}")

    def resident_kb(self):
        return int(re.search(r"VmRSS:\s+(\d+)", (self.folder / "status").read_text())[1])

    def threads(self):
        return int(re.search(r"Threads:\s+(\d+)", (self.folder / "status").read_text())[1])

    def descriptors(self):
        return len(list((self.folder / "fd").iterdir()))


def probe_health(port, ended, latencies):
    """In a process of its own: what is measured is the server, not our clients."""
    asyncio.run(probe(port, ended, latencies))


async def probe(port, ended, latencies):
    """Asks at fixed times. Where an answer came too late for the next question, that one has waited since its time."""
    client = await Client.open(port)
    due = answered = time.monotonic()
    while not ended.is_set():
        due += PROBE_S
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        start = due if answered > due else time.monotonic()
        await client.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        status, _, _ = await client.receive()
        assert status == 200
        answered = time.monotonic()
        latencies.put(answered - start)


class Health:
    """Seconds that /healthz takes, while there is load."""

    def __init__(self, port):
        self.ended, self.queue = multiprocessing.Event(), multiprocessing.Queue()
        self.prober = multiprocessing.Process(target=probe_health, args=(port, self.ended, self.queue), daemon=True)
        self.prober.start()
        self.seconds = []

    def collect(self):
        """What has come since."""
        begin = len(self.seconds)
        while not self.queue.empty():
            self.seconds.append(self.queue.get())
        return self.seconds[begin:]

    def leave_out(self):
        """What has come since."""
        count = len(self.seconds)
        self.collect()
        del self.seconds[count:]

    def stop(self):
        self.ended.set()
        while self.prober.is_alive():
            self.collect()
            self.prober.join(0.1)
        self.collect()
        assert self.prober.exitcode == 0, "the prober of /healthz has failed"


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


async def rest(server, process, load, health):
    """Resident memory while nobody asks, and how long that was."""
    begin = time.monotonic()
    health.collect()
    await load.pause()
    server.signal(signal.SIGHUP)
    await asyncio.sleep(4)
    resident_kb = process.resident_kb()
    load.going.set()
    health.leave_out()
    return resident_kb, time.monotonic() - begin


async def watch(server, process, load, health, samples, rests):
    """Loads models again, and takes samples, until it is time to end."""
    start = time.monotonic()
    reloaded = rested = start
    while (now := time.monotonic()) < start + SECONDS:
        samples.append((now - start, process.resident_kb(), process.descriptors(), process.threads()))
        if now - reloaded > RELOAD_S:
            server.signal(signal.SIGHUP)
            reloaded = now
        if now - rested > REST_S:
            rests.append((now - start, *await rest(server, process, load, health)))
            rested = reloaded = time.monotonic()
        if len(samples) % 60 == 0:
            kb = statistics.median(each[1] for each in samples[-60:])
            at_rest = f", at rest {rests[-1][1] / 1024:.1f}" if rests else ""
            print(f"{now - start:6.0f} s: {kb / 1024:.1f} MB{at_rest}, {samples[-1][2]} descriptors, {samples[-1][3]} threads, /healthz p99 "
                  f"{quantile(health.collect(), 0.99) * 1e3:.1f} ms, {sum(load.answered.values())} answers, {len(load.wrong)} wrong", flush=True)
        await asyncio.sleep(SAMPLE_S)


async def soak(server, process, samples, rests):
    """Then SIGTERM, under load."""
    load, health = Load(server.port), Health(server.port)
    running = asyncio.create_task(load.run())
    await watch(server, process, load, health, samples, rests)
    health.stop()
    load.signalled_at = time.monotonic()
    server.signal()
    await asyncio.wait_for(running, 60)
    return load, health.seconds


def rows_of(load, health, samples, rests, code):
    """(what, value, bound, whether it holds)"""
    def median(column, begin, end, among=samples):
        return statistics.median(each[column] for each in among if begin <= each[0] < end)

    first, last = (WARM_UP_S, WARM_UP_S + WINDOW_S), (SECONDS - WINDOW_S, SECONDS)
    before, after = median(1, WARM_UP_S, WARM_UP_S + 2 * WINDOW_S, rests), median(1, SECONDS - 2 * WINDOW_S, SECONDS, rests)
    growth = after / before - 1
    loaded_before, loaded_after = median(1, *first), median(1, *last)
    descriptors = median(2, *last) - median(2, *first)
    threads = median(3, *last) - median(3, *first)
    asked = (SECONDS - sum(seconds for *_, seconds in rests)) / PROBE_S * 0.95
    p99_ms = quantile(health, 0.99) * 1e3
    return [
        ("answers that were compared", sum(load.answered.values()), "> 0", sum(load.answered.values()) > 0),
        ("wrong answers", len(load.wrong), "0", not load.wrong),
        ("resident memory at rest after the warm-up, at the end, MB", f"{before / 1024:.2f}, {after / 1024:.2f}", "", True),
        ("growth of resident memory at rest", f"{growth:+.2%}", "< 1 %", growth < 0.01),
        ("under load, MB", f"{loaded_before / 1024:.1f}, {loaded_after / 1024:.1f}: {loaded_after / loaded_before - 1:+.2%}", "", True),
        ("more descriptors, threads at the end", f"{descriptors}, {threads}", "<= 4, 2", descriptors <= 4 and threads <= 2),
        ("/healthz, times asked", len(health), f">= {asked:.0f}", len(health) >= asked),
        ("/healthz, p50 and p99 of " + f"{len(health)}, ms", f"{quantile(health, 0.5) * 1e3:.2f}, {p99_ms:.2f}", "< 10", p99_ms < 10),
        ("requests under way at SIGTERM", load.under_way, "> 0", load.under_way > 0),
        ("of those, lost", len(load.lost), "0", not load.lost),
        ("exit code", code, "0", code == 0)]


def main():
    with RunningServer("--no-log") as server:
        samples, rests = [], []
        load, health = asyncio.run(soak(server, Process(server.process.pid), samples, rests))
        code = server.wait()
    rows = rows_of(load, health, samples, rests, code)
    print(f"\n{SECONDS:.0f} s, warm-up {WARM_UP_S:.0f} s; answers: {dict(load.answered)}\n")
    print("| | measured | bound |\n|---|---|---|")
    for what, value, bound, holds in rows:
        print(f"| {what} | {value} | {bound} | {'' if holds else 'FAILED'}".rstrip())
    for problem in (load.wrong + load.lost)[:10]:
        print("wrong:", problem)
    return 0 if all(holds for *_, holds in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
