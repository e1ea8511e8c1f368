"""The programs in README and docs/scale.md, as they stand there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import corpus

PAGES = {"README.md": "pyspark", "docs/scale.md": ""}
PROGRAMS = [
    pytest.param(program, id=f"{page}-{number}")
    for page, word in PAGES.items()
    for number, program in enumerate(re.findall(r"```python\n(.*?)```", (corpus.SOURCE / page).read_text(), re.S))
    if word in program
]


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 4


@pytest.mark.parametrize("program", PROGRAMS)
def test_program_runs_and_prints(program: str, tmp_path: Path) -> None:
    pq.write_table(corpus.documents(10).slice(0, 4), tmp_path / "documents.parquet")
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout
