"""What goes wrong, by kind. Every exception of this package is an ``Error``."""

from __future__ import annotations


class Error(Exception):
    """Base of all; ``code`` is the kind as text, e.g. ``"corrupt model"``."""

    code: str = "internal error"


class InvalidArgument(Error, ValueError):
    """An option or argument that cannot be."""

    code = "invalid argument"


class NotFound(Error, FileNotFoundError):
    """A file or directory that is not there or cannot be read."""

    code = "not found"


class CorruptModel(Error):
    """A model directory that breaks its own rules."""

    code = "corrupt model"


class BadInput(Error, ValueError):
    """Data that cannot be read as what it should be."""

    code = "bad input"


class Unsupported(Error):
    """Understood, but not by this build or version."""

    code = "unsupported"


class Exhausted(Error):
    """A limit on memory, size or time was met."""

    code = "exhausted"


class Cancelled(Error):
    """The caller asked to stop."""

    code = "cancelled"


class Internal(Error, RuntimeError):
    """Our fault."""

    code = "internal error"


_BY_CODE: dict[str, type[Error]] = {
    kind.code: kind
    for kind in (
        InvalidArgument, NotFound, CorruptModel, BadInput, Unsupported, Exhausted, Cancelled, Internal
    )
}


def check_count(name: str, value: object) -> None:
    if not isinstance(value, int) or value < 1:
        raise InvalidArgument(f"{name} is {value!r}, must be a whole number from 1")


def from_code(code: str, message: str) -> Error:
    return _BY_CODE.get(code, Internal)(message)
