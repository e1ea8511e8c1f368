"""``SELECT * FROM openie('documents')`` in DuckDB.

>>> diffie.duckdb.register(connection, model="small")                             # doctest: +SKIP
>>> connection.sql("SELECT subject, relation, object FROM openie('documents')")   # doctest: +SKIP

Table macros over a function that DuckDB calls with a vector of texts at a time. What `diffie.to_arrow` gives needs
none of it: DuckDB queries Arrow tables as they are.
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from . import rows

if TYPE_CHECKING:
    import duckdb


def register(connection: duckdb.DuckDBPyConnection, name: str = "openie", *, text_column: str = "text",
             id_column: str = "id", **options: Any) -> None:
    """Makes `name('TABLE')`, one row per triple, and `name_errors('TABLE')`, one per document or sentence that failed.

    TABLE is a table or view with the two columns. `options` go to `diffie.record_batches`.
    """
    def extract(texts: pa.Array) -> pa.Array:
        return _lists(texts, options)

    connection.create_function(f"{name}_rows", extract, ["VARCHAR"], f"{_sql_type(_row_type())}[]", type="arrow",
                               null_handling="special")
    found = f'''SELECT document_id, found.* FROM (
        SELECT CAST("{id_column}" AS VARCHAR) AS document_id, unnest({name}_rows("{text_column}")) AS found
        FROM query_table(documents))'''
    connection.execute(f"""CREATE OR REPLACE MACRO {name}(documents) AS TABLE
        SELECT * EXCLUDE (error_code, error_message) FROM ({found}) WHERE NOT ({rows.IS_ERROR})""")
    connection.execute(f"""CREATE OR REPLACE MACRO {name}_errors(documents) AS TABLE
        SELECT document_id, sentence, error_code AS code, error_message AS message FROM ({found})
        WHERE {rows.IS_ERROR}""")


def _row_type() -> pa.StructType:
    return pa.struct([field for field in rows.schema() if field.name != "document_id"])


def _lists(texts: pa.Array | pa.ChunkedArray, options: dict[str, Any]) -> pa.Array:
    """For each text the list of its rows."""
    count = len(texts)
    numbers = pa.array([f"{number:09}" for number in range(count)])
    documents = pa.table({"id": numbers, "text": texts}).to_batches()
    found = pa.Table.from_batches(rows.stream(documents, **options), rows.schema())
    found = found.sort_by("document_id").combine_chunks()  # rows of one document keep their order
    places = [int(number) for number in found["document_id"].to_pylist()]
    begins = pa.array([bisect.bisect_left(places, number) for number in range(count + 1)], pa.int32())
    fields = list(_row_type())
    columns = [pa.concat_arrays(found[field.name].chunks or [pa.nulls(0, field.type)]) for field in fields]
    return pa.ListArray.from_arrays(begins, pa.StructArray.from_arrays(columns, fields=fields))


def _sql_type(kind: pa.DataType) -> str:
    if pa.types.is_struct(kind):
        return "STRUCT(" + ", ".join(f'"{field.name}" {_sql_type(field.type)}' for field in kind) + ")"
    if pa.types.is_list(kind):
        return _sql_type(kind.value_type) + "[]"
    return {"string": "VARCHAR", "double": "DOUBLE", "int32": "INTEGER", "int64": "BIGINT"}[str(kind)]
