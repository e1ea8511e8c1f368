"""Threads, forks, signals."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from texts import PLAIN, corpus

import diffie


def test_many_threads_share_an_extractor(extractor: diffie.Extractor) -> None:
    documents = corpus(12)
    alone = [extractor.extract(text, id=id) for id, text in documents]
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(lambda: list(extractor.stream(documents))) for _ in range(4)]
        for job in jobs:
            assert job.result(timeout=120) == alone


def test_the_interpreter_runs_on_meanwhile(extractor: diffie.Extractor) -> None:
    text = " ".join(text for _, text in corpus(60))
    ticks = 0
    done = threading.Event()

    def extract() -> None:
        extractor.extract(text)
        done.set()

    worker = threading.Thread(target=extract)
    worker.start()
    while not done.is_set():
        time.sleep(0.001)
        ticks += 1
    worker.join()
    assert ticks > 10


def test_works_after_fork(extractor: diffie.Extractor) -> None:
    expected = extractor.extract(PLAIN[0])
    stream = extractor.stream(corpus(50), batch_size=4)
    next(stream)  # a batch is under way when the process is forked
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(60)
            same = extractor.extract(PLAIN[0]) == expected
            del stream  # must not wait for the parent's thread
            status = 0 if same else 2
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert len(list(stream)) == 49
    assert extractor.extract(PLAIN[0]) == expected


def without_room_for_threads(then: str) -> str:
    """Runs a program whose threads cannot be started, and then can."""
    program = textwrap.dedent("""
        import os, resource, signal
        import diffie
        from diffie import errors
        extractor = diffie.load("small", threads=1)
        THEN
        pages = int(open("/proc/self/statm").read().split()[0])
        limits = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (4 << 20), limits[1]))
        try:
            extractor.extract("Ada wrote a program.")
        except errors.Exhausted as error:
            print("refused")
        resource.setrlimit(resource.RLIMIT_AS, limits)
        signal.alarm(20)
        print(*extractor.extract("Ada wrote a program.").triples, flush=True)
    """).replace("THEN", then)
    command = [sys.executable, "-W", "ignore", "-c", program]  # Python 3.12 warns of forks
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert run.stderr == ""
    return run.stdout


def test_a_thread_that_cannot_be_had_is_an_error_of_ours() -> None:
    assert without_room_for_threads("") == "refused\n(Ada; wrote; a program)\n"


def test_a_failure_after_fork_leaves_the_extractor_as_it_was() -> None:
    forked = without_room_for_threads("if os.fork(): raise SystemExit(os.waitpid(-1, 0)[1])")
    assert forked == "refused\n(Ada; wrote; a program)\n"


_inherited: list[diffie.Extractor] = []


def _triples(text: str) -> list[str]:
    return [str(triple) for triple in _inherited[0].extract(text).triples]


def test_a_pool_of_forked_processes(extractor: diffie.Extractor) -> None:
    _inherited[:] = [extractor]
    expected = [_triples(text) for text in PLAIN]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        assert list(pool.map(_triples, PLAIN, timeout=120)) == expected


def test_an_extractor_goes_to_a_new_process(extractor: diffie.Extractor) -> None:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        document = pool.submit(extractor.extract, PLAIN[0]).result(timeout=120)
    assert document == extractor.extract(PLAIN[0])


@pytest.mark.parametrize("call", ["extractor.extract(text)", "list(extractor.stream([text]))"])
@pytest.mark.parametrize("end", [".", " and"])  # short sentences, and such of 20,000 characters
def test_ctrl_c_stops(call: str, end: str) -> None:
    program = textwrap.dedent(f"""
        import signal
        import diffie
        signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where we run in the background
        extractor = diffie.load("small", threads=1)
        text = "Ada Lovelace wrote the first program for a machine in Vienna{end} " * 20000
        print("ready", flush=True)
        try:
            {call}
        except KeyboardInterrupt:
            print("stopped", len(extractor.extract("Bob read it.").triples), flush=True)
    """)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
        time.sleep(1.5)
        run.send_signal(signal.SIGINT)
        begin = time.monotonic()
        answer = run.stdout.readline()
        waited = time.monotonic() - begin
        run.kill()
    assert answer == "stopped 1\n"
    assert waited < 1


def test_python_may_end_while_a_batch_is_under_way() -> None:
    program = textwrap.dedent("""
        import diffie
        extractor = diffie.load("small", threads=2)
        stream = extractor.stream(f"Ada wrote program {number}." for number in range(10000))
        print(next(stream).triples[0])
    """)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, "(Ada; wrote; program 0)\n", "")


@pytest.mark.parametrize(
    "call",
    ["extractor.extract(long)", "extractor.extract('Bob left.')", "list(extractor.stream(['Bob left.'] * 99, batch_size=3))",
     "diffie.load('small', threads=1)"],
)  # fmt: skip
def test_python_may_end_while_daemon_threads_call(call: str) -> None:
    program = textwrap.dedent(f"""
        import threading, time
        import diffie
        extractor = diffie.load("small", threads=2)
        long = "Ada wrote a program. " * 3000
        def work():
            while True:
                {call}
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.2)
    """)
    for _ in range(4):
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        assert (run.returncode, run.stderr) == (0, "")


def test_a_second_interpreter_takes_nothing_from_the_first() -> None:
    pytest.importorskip("_xxsubinterpreters")  # until Python 3.12
    program = textwrap.dedent("""
        import _xxsubinterpreters as interpreters
        import diffie
        extractor = diffie.load("small", threads=1)
        second = interpreters.create()
        try:
            interpreters.run_string(second, "import diffie")
        except interpreters.RunFailedError as error:
            print(error)
        print(*extractor.extract("Ada wrote a program.").triples)
        interpreters.destroy(second)
        print(*extractor.extract("Ada wrote a program.").triples)
    """)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert run.stderr == ""
    refusal, *found = run.stdout.splitlines()
    assert "ImportError" in refusal
    assert found == ["(Ada; wrote; a program)"] * 2
