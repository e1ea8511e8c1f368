"""Processes of a cluster that runs on this machine, to be killed by tests."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path


def with_command(*words: str) -> list[int]:
    """Those whose command line has all the words."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if all(word in command for word in words):
            found.append(int(folder.name))
    return found


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def kill(process: int) -> None:
    os.kill(process, signal.SIGKILL)


def wait_until(happens: Callable[[], object], seconds: float = 600) -> None:
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.1)
