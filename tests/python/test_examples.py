"""Every block of Python in the documents runs as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOT_OURS = "pyspark|ray|beam|duckdb"  # have tests of their own


def blocks() -> list[tuple[str, str]]:
    found = []
    for name in ("README.md", "docs/python.md"):
        text = (ROOT / name).read_text()
        for match in re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, match.start()) + 1
            if not re.search(rf"\b({NOT_OURS})\b", match[1]):
                found.append((f"{name}:{line}", match[1]))
    return found


@pytest.mark.parametrize("program", [pytest.param(text, id=place) for place, text in blocks()])
def test_examples_of_the_documents(program: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Ada Lovelace wrote the first program.\nBob read it.\n")
    environment = os.environ | {"DIFFIE_MODELS": ""}
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr


def test_the_typed_example() -> None:
    subprocess.run([sys.executable, Path(__file__).parent / "typed_example.py"], check=True)
