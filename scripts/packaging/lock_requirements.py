#!/usr/bin/env python3
"""Locks what tests and builds fetch from PyPI: for each requirements.txt a requirements.lock beside it, with
every package that pip takes for it, its version and the SHA-256 of its file.

A lock holds for Debian 12's Python (3.11, x86-64); scripts/pip-install.sh goes by it there.

    scripts/packaging/lock_requirements.py [FILE...]   write the locks anew (all, or of these)
    scripts/packaging/lock_requirements.py --check     fail where a lock lacks what its requirements name, or
                                                       a sum; needs no network
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = ["cmake/arrow-requirements.txt", "packaging/conan/requirements.txt",
                "scripts/coverage/requirements.txt", "scripts/mutation/requirements.txt", "tests/formats/requirements.txt",
                "tests/python/requirements.txt", "tests/scale/requirements.txt", "tests/server/requirements.txt"]
# Taken without what they ask for.
ALONE = ["tests/server/clients.txt"]


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def lock_of(requirements):
    return requirements.with_suffix(".lock")


def resolve(requirements, *options):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run",
                        "--ignore-installed", "--report", report, *options, "-r", requirements], check=True)
        return json.loads(report.read_text())["install"]


def write_lock(name):
    requirements = ROOT / name
    taken = resolve(requirements, *(["--no-deps"] if name in ALONE else []))
    lines = sorted(f"{canonical(each['metadata']['name'])}=={each['metadata']['version']}"
                   f" --hash=sha256:{each['download_info']['archive_info']['hashes']['sha256']}" for each in taken)
    head = f"# {name} and what it needs, by scripts/packaging/lock_requirements.py.\n"
    lock_of(requirements).write_text(head + "\n".join(lines) + "\n")
    print(f"{lock_of(requirements).relative_to(ROOT)}: {len(lines)} packages")


def pins(path):
    """{package: (version, whether it has a sum)} of a requirements.txt or a lock."""
    found = {}
    for line in path.read_text().splitlines():
        if match := re.match(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)(.*)", line):
            found[canonical(match[1])] = match[2], re.search(r"--hash=sha256:[0-9a-f]{64}$", match[3]) is not None
    return found


def problems():
    known = {ROOT / name for name in REQUIREMENTS + ALONE}
    for path in sorted(ROOT.glob("*/**/*requirements*.txt")):
        if "build" not in path.relative_to(ROOT).parts and path not in known:
            yield f"{path.relative_to(ROOT)} has no lock"
    for path in sorted(known):
        lock = pins(lock_of(path)) if lock_of(path).exists() else {}
        where = lock_of(path).relative_to(ROOT)
        yield from (f"{where} lacks {name} {version}" for name, (version, _) in pins(path).items()
                    if lock.get(name, ("",))[0] != version)
        yield from (f"{where}: {name} has no sum" for name, (_, has_sum) in lock.items() if not has_sum)


def check():
    found = list(problems())
    print("\n".join(found) or "locks: all as they should be")
    return 1 if found else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    for each in sys.argv[1:] or REQUIREMENTS + ALONE:
        write_lock(each)
