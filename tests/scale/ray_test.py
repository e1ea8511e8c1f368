"""diffie.ray on a local cluster of two actors, one of them killed on the way."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import ray
from pyarrow import fs

import corpus
import diffie.ray
import processes


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray.init(num_cpus=3, include_dashboard=False, object_store_memory=200_000_000)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def documents() -> pa.Table:
    return corpus.documents(3000)


@pytest.fixture(scope="module")
def wanted(documents: pa.Table) -> pa.Table:
    return corpus.alone(documents)


def table(dataset: ray.data.Dataset) -> pa.Table:
    return pa.concat_tables(ray.get(dataset.to_arrow_refs()))


def test_actor_killed_loses_nothing_and_doubles_nothing(cluster, documents, wanted):
    found: list[pa.Table] = []
    dataset = ray.data.from_arrow(documents).repartition(30)
    extracted = diffie.ray.extract(dataset, actors=2)
    run = threading.Thread(target=lambda: found.append(table(extracted)))
    run.start()
    # What a worker needs to start is less.
    at_work = lambda: [each for each in processes.with_command("ray::", "ExtractPieces") if processes.cpu_seconds(each) > 4]
    processes.wait_until(lambda: len(at_work()) == 2, 300)
    killed = at_work()[0]
    assert run.is_alive()
    processes.kill(killed)
    run.join()
    assert killed not in processes.with_command("ray::")
    corpus.assert_same(found[0], wanted)


def test_tables_of_triples_and_errors(cluster, documents, wanted):
    extracted = diffie.ray.extract(ray.data.from_arrow(documents.slice(0, 100)), actors=1).materialize()
    errors = table(diffie.ray.errors(extracted)).to_pylist()
    assert [(row["document_id"], row["sentence"]) for row in errors] == [(f"doc-{corpus.POISON:07}", None)]
    assert diffie.ray.triples(extracted).count() + 1 == extracted.count()


def test_started_again_it_does_only_what_is_left(cluster, documents, tmp_path):
    few = documents.slice(0, 40)
    wanted = corpus.alone(few)
    dataset = ray.data.from_arrow(few)
    output = tmp_path / "triples"
    diffie.ray.write(dataset, str(output), parts=2)
    corpus.assert_same(pq.read_table(output), wanted)

    # As a run leaves it that was stopped while it wrote the second part.
    (output / "part=1/_SUCCESS").unlink()
    (output / "part=1/half.parquet").write_bytes(b"PAR1")
    done = {path: path.stat().st_mtime_ns for path in (output / "part=0").iterdir()}
    diffie.ray.write(dataset, str(output), parts=2)
    corpus.assert_same(pq.read_table(output), wanted)
    assert {path: path.stat().st_mtime_ns for path in (output / "part=0").iterdir()} == done
    with pytest.raises(ValueError, match="begun with"):
        diffie.ray.write(dataset, str(output), parts=2, top_k=1)


def test_counts_that_would_lose_everything_are_refused(tmp_path):
    for wrong in (0, -1):
        with pytest.raises(ValueError, match=f"parts is {wrong}"):
            diffie.ray.write(None, str(tmp_path / "none"), parts=wrong)
        with pytest.raises(ValueError, match=f"piece is {wrong}"):
            diffie.ray.extract(None, piece=wrong)
    assert not (tmp_path / "none").exists()


class Dying:
    """A file system on which the run is killed when it has begun a file."""

    def __getattr__(self, name):
        return getattr(fs.LocalFileSystem(), name)

    def open_output_stream(self, path):
        fs.LocalFileSystem().open_output_stream(path).close()
        raise KeyboardInterrupt


def test_killed_while_it_says_how_the_folder_is_made_it_can_be_started_again(tmp_path):
    name = str(tmp_path / "_diffie.json")
    with pytest.raises(KeyboardInterrupt):
        diffie.ray._claim(Dying(), name, {"parts": 2})
    for _ in range(2):
        diffie.ray._claim(fs.LocalFileSystem(), name, {"parts": 2})
    with pytest.raises(ValueError, match="begun with"):
        diffie.ray._claim(fs.LocalFileSystem(), name, {"parts": 3})
