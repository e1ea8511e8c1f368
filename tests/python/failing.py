"""An extractor that fails."""

from __future__ import annotations

import pickle
from typing import Any

import diffie
from diffie import errors


class FailingEngine:
    """Calls with a certain text in them fail as a whole."""

    def __init__(self, engine: Any, poison: str) -> None:
        self._engine, self._poison = engine, poison

    def start(self, ranges: list[tuple[Any, int, int]]) -> Any:
        if any(reading.__getstate__()[0] == self._poison for reading, _, _ in ranges):
            return self
        return self._engine.start(ranges)

    def wait(self) -> None:
        raise errors.Exhausted("out of memory")

    def take_notices(self) -> list[str]:
        notices: list[str] = self._engine.take_notices()
        return notices


def failing_at(poison: str, extractor: diffie.Extractor) -> diffie.Extractor:
    other: diffie.Extractor = pickle.loads(pickle.dumps(extractor))
    other._engine = FailingEngine(other._engine, poison)  # type: ignore[assignment]
    return other
