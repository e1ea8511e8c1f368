from __future__ import annotations

import pytest

import diffie


@pytest.fixture(scope="session")
def extractor() -> diffie.Extractor:
    return diffie.load("small", preset="balanced", threads=2)
