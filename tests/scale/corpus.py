"""Documents out of the texts of the repository, and the table that one process makes of them.

    python tests/scale/corpus.py 1000000 documents.parquet   # documents with so many sentences
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from diffie import rows

SOURCE = Path(__file__).resolve().parents[2]
TEXTS = ["tests/reader/sentences.txt", "tests/miniature/carb/dev/dev.txt"]
# A null is a document that cannot be read: a row of the errors table, and nothing else.
POISON = 7


def sentences() -> list[str]:
    return [line for name in TEXTS for line in (SOURCE / name).read_text().splitlines() if line]


def documents(count: int, poison: bool = True) -> pa.Table:
    """`count` documents of 1 to 6 sentences, each with a number of its own; one long one in the middle."""
    endless = itertools.cycle(sentences())
    texts: list[str | None] = [" ".join(itertools.islice(endless, 1 + number % 6)) for number in range(count)]
    texts[count // 2] = "\n\n".join(itertools.islice(endless, 300))
    if poison:
        texts[POISON] = None
    return pa.table({"id": [f"doc-{number:07}" for number in range(count)], "text": texts})


def alone(table: pa.Table, **options: object) -> pa.Table:
    """What one process on one machine makes of it."""
    found = rows.stream(table.to_batches(max_chunksize=64), rows.Counts(), threads=1, **options)
    return in_order(pa.Table.from_batches(found, rows.schema()))


def in_order(table: pa.Table) -> pa.Table:
    keys = ["document_id", "sentence", "error_code", "confidence", "subject", "relation", "object"]
    return table.select(rows.schema().names).sort_by([(key, "ascending") for key in keys]).combine_chunks()


def assert_same(found: pa.Table, wanted: pa.Table) -> None:
    """Row by row, bit by bit."""
    found = in_order(found).cast(wanted.schema)
    assert found.num_rows == wanted.num_rows
    for row in range(wanted.num_rows):
        assert found.slice(row, 1).equals(wanted.slice(row, 1)), (found.slice(row, 1).to_pylist(), wanted.slice(row, 1).to_pylist())


if __name__ == "__main__":
    # 3.5 sentences each, and the 300 of the long one.
    pq.write_table(documents(int((int(sys.argv[1]) - 300) / 3.5), poison=False), sys.argv[2], row_group_size=10_000)
