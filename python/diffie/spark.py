"""Triples of a Spark DataFrame: one engine per Python worker, through ``mapInArrow``.

>>> triples = diffie.spark.extract(df, text_column="text", id_column="id")   # doctest: +SKIP
>>> diffie.spark.write(df, "hdfs:///triples", parts=100)                      # doctest: +SKIP

Executors need the package ``diffie``; the model is one inside it, or a path that every machine has.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from . import pieces, rows
from .errors import check_count

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Metrics:
    """What the jobs given it have done, over all executors, up to the tasks that ended.

    A task that ran twice counts twice here, though its rows are there once.
    """

    def __init__(self, spark: SparkSession):
        count = spark.sparkContext.accumulator
        self._documents, self._sentences, self._triples, self._errors = count(0), count(0), count(0), count(0)
        self._seconds = count(0.0)

    def add(self, counts: rows.Counts) -> None:
        self._documents += counts.documents
        self._sentences += counts.sentences
        self._triples += counts.triples
        self._errors += counts.errors
        self._seconds += counts.seconds

    @property
    def counts(self) -> rows.Counts:
        return rows.Counts(self._documents.value, self._sentences.value, self._triples.value, self._errors.value,
                           self._seconds.value)


def extract(
    df: DataFrame,
    text_column: str = "text",
    id_column: str = "id",
    *,
    partitions: int | None = None,
    piece: int = 256,
    metrics: Metrics | None = None,
    **options: Any,
) -> DataFrame:
    """One row per triple, one per error (``diffie.rows``), computed where it is used: write it
    before counting it.

    A task is a partition. With ``partitions`` documents are first cut into pieces of ``piece``
    sentences, which are spread over so many tasks, so that a long document is the work of many;
    without it the partitions are those of ``df`` and a document is the work of one. ``options`` are
    those of ``diffie.batches.record_batches``; a task has one core, so ``threads`` is 1 if not given.
    """
    check_count("piece", piece)
    options = {"threads": 1, **options}
    columns = {"text_column": text_column, "id_column": id_column}
    documents = df.select(id_column, text_column)
    found = from_arrow_schema(rows.schema())

    def whole(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        counts = rows.Counts()
        yield from rows.stream(batches, counts, **columns, **options)
        if metrics is not None:
            metrics.add(counts)

    def cut(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield from pieces.cut([batch], piece, **columns, pretokenized=options.get("pretokenized", False))
            if metrics is not None:
                metrics.add(rows.Counts(documents=batch.num_rows))

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        counts = rows.Counts()
        yield from rows.stream_pieces(batches, counts, **options)
        counts.documents = 0  # counted when they were cut
        if metrics is not None:
            metrics.add(counts)

    if partitions is None:
        return documents.mapInArrow(whole, found)
    cut_up = documents.mapInArrow(cut, from_arrow_schema(pieces.SCHEMA))
    return cut_up.repartition(partitions, "id", "sentence").mapInArrow(read, found)


def triples(extracted: DataFrame) -> DataFrame:
    """The triple table out of what `extract` gave."""
    return extracted.where(f"NOT ({rows.IS_ERROR})").drop("error_code", "error_message")


def errors(extracted: DataFrame) -> DataFrame:
    """The errors table out of what `extract` gave."""
    return extracted.where(rows.IS_ERROR).select(
        "document_id", "sentence", F.col("error_code").alias("code"), F.col("error_message").alias("message"))


def write(
    df: DataFrame,
    path: str,
    *,
    parts: int = 1,
    at_once: int = 2,
    text_column: str = "text",
    id_column: str = "id",
    partitions: int | None = None,
    metrics: Metrics | None = None,
    **options: Any,
) -> None:
    """Extracts to Parquet below ``path``, in ``parts`` jobs by the hash of the id, ``at_once`` of
    them at a time, each of ``partitions`` tasks.

    A part that Spark committed (``_SUCCESS``) is not done again: the same call after a stop goes on
    where it was. Other columns, another model, other settings or another number of parts are
    refused. ``read`` gives the tables.
    """
    check_count("parts", parts)
    made_by = {"parts": parts, "text_column": text_column, "id_column": id_column, **options}
    files = _Files(df.sparkSession, path)
    files.claim("_diffie.json", json.dumps(made_by, sort_keys=True, default=str))

    def write_part(part: int) -> None:
        chosen = df.where(F.pmod(F.xxhash64(id_column), F.lit(parts)) == part)
        found = extract(chosen, text_column, id_column, partitions=partitions, metrics=metrics, **options)
        found = found.withColumn("kind", F.expr(f"IF({rows.IS_ERROR}, 'error', 'triple')"))
        found.write.mode("overwrite").partitionBy("kind").parquet(f"{path}/part={part}")

    left = [part for part in range(parts) if not files.exists(f"part={part}/_SUCCESS")]
    with ThreadPoolExecutor(at_once) as pool:
        for _ in pool.map(write_part, left):
            pass


def read(spark: SparkSession, path: str) -> tuple[DataFrame, DataFrame]:
    """The triple table and the errors table that `write` wrote."""
    written = spark.read.option("basePath", path).schema(from_arrow_schema(rows.schema())).parquet(f"{path}/part=*")
    return triples(written), errors(written)


class _Files:
    """The files of a folder, on whatever file system Spark has for it."""

    def __init__(self, spark: SparkSession, folder: str):
        self._jvm = spark.sparkContext._jvm
        self._folder = folder
        path = self._path("")
        self._system = path.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())

    def _path(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(f"{self._folder}/{name}" if name else self._folder)

    def exists(self, name: str) -> bool:
        return bool(self._system.exists(self._path(name)))

    def claim(self, name: str, content: str) -> None:
        """Writes the file; where it is there, its content must be this."""
        if self.exists(name):
            stream = self._system.open(self._path(name))
            found = self._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8")
            stream.close()
            if found != content:
                raise ValueError(f"{self._folder} was begun with {found}; now it is {content}")
            return
        # Under its own name it is whole, whenever the run is killed.
        part = self._path(f"{name}.part")
        stream = self._system.create(part)
        stream.write(bytearray(content.encode()))
        stream.close()
        if not self._system.rename(part, self._path(name)):
            raise OSError(f"{self._folder}/{name} cannot be written")
