"""diffie.spark on a cluster of two executors that are processes of their own, killed on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pyspark
import pytest
from pyspark.sql import DataFrame, SparkSession

import corpus
import diffie.spark
import processes

DOCUMENTS = 600
PARTITIONS = 20


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    session = (SparkSession.builder.master("local-cluster[2,1,1024]").appName("diffie-test")
               .config("spark.executor.memory", "1g").config("spark.ui.enabled", "false")
               .config("spark.sql.shuffle.partitions", PARTITIONS)
               .config("spark.sql.execution.arrow.maxRecordsPerBatch", 16).getOrCreate())
    yield session
    session.stop()


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("documents") / "documents.parquet"
    pq.write_table(corpus.documents(DOCUMENTS), path)
    return path


@pytest.fixture(scope="module")
def wanted(documents: Path) -> pa.Table:
    return corpus.alone(pq.read_table(documents))


def frame(spark: SparkSession, documents: Path) -> DataFrame:
    return spark.read.parquet(str(documents))


def test_same_rows_as_alone_and_errors_are_rows(spark, documents, wanted):
    metrics = diffie.spark.Metrics(spark)
    found = diffie.spark.extract(frame(spark, documents), partitions=PARTITIONS, metrics=metrics)
    corpus.assert_same(found.toArrow(), wanted)
    counts = metrics.counts
    assert counts.documents == DOCUMENTS and counts.errors == 1
    assert counts.triples == wanted.num_rows - 1 and counts.sentences > 3 * DOCUMENTS

    errors = diffie.spark.errors(found).collect()
    assert [(row.document_id, row.sentence) for row in errors] == [(f"doc-{corpus.POISON:07}", None)]


def test_executor_killed_loses_nothing_and_doubles_nothing(spark, documents, wanted, tmp_path):
    output = tmp_path / "triples"
    metrics = diffie.spark.Metrics(spark)
    failed: list[BaseException] = []

    def write() -> None:
        try:
            diffie.spark.write(frame(spark, documents), str(output), partitions=PARTITIONS, metrics=metrics)
        except BaseException as error:
            failed.append(error)

    application = spark.sparkContext.applicationId
    before = processes.with_command("CoarseGrainedExecutorBackend", application)
    assert len(before) == 2
    run = threading.Thread(target=write)
    run.start()
    processes.wait_until(lambda: metrics.counts.sentences > 200)
    assert run.is_alive()
    processes.kill(before[0])
    run.join()
    assert not failed
    after = processes.with_command("CoarseGrainedExecutorBackend", application)
    assert before[0] not in after
    corpus.assert_same(pq.read_table(output), wanted)


def submit(documents: Path, output: Path) -> subprocess.Popen[str]:
    """The example, by spark-submit; all of its processes are of one group."""
    master = ["--master", "local-cluster[2,1,1024]", "--conf", "spark.ui.enabled=false",
              "--conf", "spark.executor.memory=1g"]
    example = [str(corpus.SOURCE / "python/examples/spark_extract.py"), str(documents), str(output)]
    return subprocess.Popen([f"{os.environ['SPARK_HOME']}/bin/spark-submit", *master, *example, "--parts", "4",
                             "--partitions", "4"], start_new_session=True, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def test_killed_as_a_whole_and_started_again_it_does_what_is_left(spark, documents, wanted, tmp_path):
    output = tmp_path / "triples"
    run = submit(documents, output)
    processes.wait_until(lambda: list(output.glob("part=*/_SUCCESS")) or run.poll() is not None)
    assert run.poll() is None
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    committed = [path.parent for path in output.glob("part=*/_SUCCESS")]
    done = {path: path.stat().st_mtime_ns for part in committed for path in part.rglob("*.parquet")}
    assert done and len(committed) < 4
    for path in output.rglob("*.parquet"):  # under its final name it is whole
        assert "_temporary" in path.parts or pq.read_metadata(path).num_rows >= 0

    run = submit(documents, output)
    said, _ = run.communicate()
    assert run.returncode == 0
    assert f"{wanted.num_rows - 1} triples, 1 errors" in said
    assert {path: path.stat().st_mtime_ns for path in done} == done
    corpus.assert_same(pq.read_table(output), wanted)
    with pytest.raises(ValueError, match="was begun with"):
        diffie.spark.write(frame(spark, documents), str(output), parts=5)


def test_counts_that_would_lose_everything_are_refused(tmp_path):
    for wrong in (0, -1):
        with pytest.raises(ValueError, match=f"parts is {wrong}"):
            diffie.spark.write(None, str(tmp_path / "none"), parts=wrong)
        with pytest.raises(ValueError, match=f"piece is {wrong}"):
            diffie.spark.extract(None, piece=wrong)


class Dying:
    """A file system on which the run is killed when it has begun a file."""

    def __init__(self, system):
        self.system = system

    def __getattr__(self, name):
        return getattr(self.system, name)

    def create(self, path):
        self.system.create(path).close()
        raise KeyboardInterrupt


def test_killed_while_it_says_how_the_folder_is_made_it_can_be_started_again(spark, tmp_path):
    files = diffie.spark._Files(spark, str(tmp_path))
    system, files._system = files._system, Dying(files._system)
    with pytest.raises(KeyboardInterrupt):
        files.claim("_diffie.json", "2 parts")
    files._system = system
    for _ in range(2):
        files.claim("_diffie.json", "2 parts")
    with pytest.raises(ValueError, match="was begun with"):
        files.claim("_diffie.json", "3 parts")
