"""Triples of a Ray Dataset: actors that hold one engine each.

>>> found = diffie.ray.extract(ray.data.read_parquet("docs"), actors=8)   # doctest: +SKIP
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow.fs import FileSystem, FileType
from ray.data import ActorPoolStrategy, Dataset

from . import pieces as cutting
from . import rows
from .errors import check_count

_PIECES = 16  # at a time

class Extract:
    """For ``Dataset.map_batches`` with ``batch_format="pyarrow"``: documents in, rows of
    ``diffie.rows`` out. ``options`` are those of ``diffie.batches.record_batches``."""

    def __init__(self, **options: Any) -> None:
        self._options = {"threads": 1, **options}

    def __call__(self, table: pa.Table) -> Iterator[pa.Table]:
        for batch in rows.stream(table.to_batches(), **self._options):
            yield pa.Table.from_batches([batch])


class ExtractPieces(Extract):
    """The same of pieces (``diffie.pieces``)."""

    def __call__(self, table: pa.Table) -> Iterator[pa.Table]:
        for batch in rows.stream_pieces(table.to_batches(), **self._options):
            yield pa.Table.from_batches([batch])


def extract(
    dataset: Dataset,
    text_column: str = "text",
    id_column: str = "id",
    *,
    actors: int = 1,
    piece: int = 256,
    num_cpus: float = 1,
    **options: Any,
) -> Dataset:
    """One row per triple, one per error (``diffie.rows``), by so many actors.

    Documents are first cut into pieces of ``piece`` sentences; an actor gets some at a time, so a
    long document is the work of many. An actor that dies is replaced, and what it had is done again.
    """
    check_count("piece", piece)
    cut: dict[str, Any] = {"piece": piece, "text_column": text_column, "id_column": id_column}
    cut["pretokenized"] = options.get("pretokenized", False)
    pieces = dataset.select_columns([id_column, text_column]).map_batches(
        _cut, fn_kwargs=cut, batch_format="pyarrow", batch_size=None, num_cpus=num_cpus
    )
    # Strict, so that Ray does not do it in the task that cuts.
    return pieces.repartition(target_num_rows_per_block=_PIECES, strict=True).map_batches(
        ExtractPieces,
        fn_constructor_kwargs=options,
        batch_format="pyarrow",
        batch_size=None,
        compute=ActorPoolStrategy(size=actors),
        num_cpus=num_cpus,
    )


def triples(extracted: Dataset) -> Dataset:
    """The triple table out of what `extract` gave."""
    return extracted.map_batches(_triples, batch_format="pyarrow")


def errors(extracted: Dataset) -> Dataset:
    """The errors table out of what `extract` gave."""
    return extracted.map_batches(_errors, batch_format="pyarrow")


def write(
    dataset: Dataset,
    path: str,
    *,
    parts: int = 1,
    text_column: str = "text",
    id_column: str = "id",
    actors: int = 1,
    **options: Any,
) -> None:
    """Extracts to Parquet below ``path``, part by part, by the hash of the id.

    A part that is complete (``_SUCCESS``) is not done again: the same call after a stop goes on where
    it was. Other columns, another model, other settings or another number of parts are refused.
    """
    check_count("parts", parts)
    files, root = FileSystem.from_uri(path if "://" in path else os.path.abspath(path))
    files.create_dir(root)
    columns: dict[str, Any] = {"text_column": text_column, "id_column": id_column}
    _claim(files, f"{root}/_diffie.json", {"parts": parts, **columns, **options})
    for part in range(parts):
        folder = f"{root}/part={part}"
        if files.get_file_info(f"{folder}/_SUCCESS").type == FileType.File:
            continue
        if files.get_file_info(folder).type == FileType.Directory:
            files.delete_dir(folder)  # of a run that was stopped
        chosen = dataset.map_batches(
            _of_part, fn_args=[id_column, part, parts], batch_format="pyarrow", batch_size=None
        )
        extract(chosen, **columns, actors=actors, **options).write_parquet(folder, filesystem=files)
        files.create_dir(folder)  # where there was nothing to write
        files.open_output_stream(f"{folder}/_SUCCESS").close()


def _claim(files: FileSystem, name: str, made_by: dict[str, Any]) -> None:
    """Writes down how the folder is made; where that is written, it must be the same."""
    wanted = json.dumps(made_by, sort_keys=True, default=str).encode()
    if files.get_file_info(name).type == FileType.NotFound:
        # Under its own name it is whole, whenever the run is killed.
        with files.open_output_stream(f"{name}.part") as stream:
            stream.write(wanted)
        files.move(f"{name}.part", name)
        return
    with files.open_input_stream(name) as stream:
        found = stream.read()
    if found != wanted:
        raise ValueError(f"{name}: begun with {found.decode()}; now it is {wanted.decode()}")


def _of_part(table: pa.Table, id_column: str, part: int, parts: int) -> pa.Table:
    ids = (str(id).encode(errors="replace") for id in table[id_column].to_pylist())
    return table.filter(pa.array([zlib.crc32(id) % parts == part for id in ids], pa.bool_()))


def _cut(table: pa.Table, piece: int, **columns: Any) -> Iterator[pa.Table]:
    for batch in cutting.cut(table.to_batches(), piece, **columns):
        yield pa.Table.from_batches([batch])


def _triples(table: pa.Table) -> pa.Table:
    return table.filter(pc.is_null(table["error_code"])).drop_columns(["error_code", "error_message"])


def _errors(table: pa.Table) -> pa.Table:
    failed = table.filter(pc.is_valid(table["error_code"]))
    return failed.select(["document_id", "sentence", "error_code", "error_message"]).rename_columns(
        ["document_id", "sentence", "code", "message"])
