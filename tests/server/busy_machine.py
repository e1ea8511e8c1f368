"""Bounds of time on a machine that has other things to do."""
import time


def slowness(cpu_s=0.05):
    """How many times longer than its processor time a busy loop takes just now: 1 on an idle machine."""
    wall, cpu = time.monotonic(), time.process_time()
    while time.process_time() - cpu < cpu_s:
        pass
    return max(1.0, (time.monotonic() - wall) / (time.process_time() - cpu))


def best_of(attempts, bound, measure):
    """The first value of measure() below the bound times the slowness around it, or the best of all."""
    best = float("inf")
    for _ in range(attempts):
        before = slowness()
        best = min(best, measure() / max(before, slowness()))
        if best < bound:
            break
    return best
