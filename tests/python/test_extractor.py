"""Loading, settings, errors, streams."""

from __future__ import annotations

import os
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from failing import failing_at
from texts import PLAIN, corpus

import diffie
from diffie import errors


def test_the_model_is_in_the_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DIFFIE_MODELS", raising=False)
    monkeypatch.chdir(tmp_path)
    assert diffie.find_model("small").parent.parent == Path(diffie.__file__).parent


def test_a_path_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").symlink_to(diffie.find_model("small"))
    monkeypatch.chdir(tmp_path)
    for path in (tmp_path / "mine", Path("mine"), "./mine"):
        extractor = diffie.load(path, threads=1)
        monkeypatch.chdir("/")
        assert pickle.loads(pickle.dumps(extractor)).extract(PLAIN[0]).triples
        monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DIFFIE_MODELS", str(tmp_path))
    assert diffie.find_model("mine") == tmp_path / "mine"


def test_a_path_may_hold_any_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = bytes(tmp_path) + b"/m\xff"
    os.symlink(diffie.find_model("small"), path)
    for model in (path, os.fsdecode(path), Path(os.fsdecode(path))):
        extractor = diffie.load(model, threads=1)  # type: ignore[arg-type]
        assert pickle.loads(pickle.dumps(extractor)).extract(PLAIN[0]).triples
    monkeypatch.setenv("DIFFIE_MODELS", os.fsdecode(path))
    no_paths = (os.fsdecode(path) + "/no", os.fsdecode(path) + "\0")
    for missing in ("smal", "\udcff", "two\nlines", "zero\0", "n" * 5000, *no_paths):
        with pytest.raises(errors.NotFound, match="^model '.*no such directory.*$"):
            diffie.load(missing)


def test_the_model_of_the_package_is_found_beside_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ours = diffie.find_model("small")
    monkeypatch.setenv("DIFFIE_MODELS", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert diffie.find_model("small") == ours
    (tmp_path / "small").symlink_to(ours)
    assert diffie.find_model("small") == tmp_path / "small"


def test_settings_go_over_the_preset() -> None:
    extractor = diffie.load("small", preset="fast", top_k=1, threads=1, asserted_only=True, times=[])
    assert extractor.preset == "fast"
    assert extractor.settings["top_k"] == "1" and extractor.settings["asserted_only"] == "true"
    assert extractor.settings.keys() == diffie.settings().keys()
    document = extractor.extract(PLAIN[4])
    assert all(len(sentence.triples) <= 1 for sentence in document.sentences)
    assert all(triple.asserted for triple in document.triples)


def test_settings_of_a_wrong_type_are_named() -> None:
    for value in (None, object(), b"3", {3}, {3: 1}, 3j):
        with pytest.raises(TypeError, match=f"the setting top_k is of type {type(value).__name__}"):
            diffie.load("small", top_k=value)  # type: ignore[arg-type]
    for value in ("\ud800", [None], 1e308, float("nan"), True, 2**64):
        with pytest.raises(errors.InvalidArgument, match="top_k is .*, must be from 1 to 1024"):
            diffie.load("small", top_k=value)  # type: ignore[arg-type]
    for preset in (0, False, b"fast", ["fast"]):
        with pytest.raises(TypeError, match=f"the preset is of type {type(preset).__name__}, not str"):
            diffie.load("small", preset=preset)  # type: ignore[arg-type]
    with pytest.raises(errors.InvalidArgument, match=r"preset is '\?'"):
        diffie.load("small", preset="\ud800")


def test_settings_are_those_of_when_it_was_loaded() -> None:
    devices = [0]
    with pytest.warns(RuntimeWarning):
        extractor = diffie.load("small", device="auto", devices=devices, threads=1)
    devices[0] = 99
    with pytest.warns(RuntimeWarning):
        assert pickle.loads(pickle.dumps(extractor)).settings == extractor.settings


def test_a_device_that_is_not_there_is_told_of_once() -> None:
    with pytest.warns(RuntimeWarning, match="on the CPU: this diffie was built without CUDA") as told:
        extractor = diffie.load("small", device="auto", devices=[0, 1], threads=1)
        extractor.extract(PLAIN[0])
    assert len(told) == 1
    assert extractor.settings["device"] == "cpu" and extractor.settings["devices"] == "none"
    with pytest.raises(errors.Error, match="device is cuda: this diffie was built without CUDA"):
        diffie.load("small", device="cuda")
    with pytest.raises(errors.InvalidArgument, match="devices is 0, but device is cpu"):
        diffie.load("small", devices=[0])


def test_errors_have_classes() -> None:
    with pytest.raises(FileNotFoundError, match="no such directory") as not_found:
        diffie.load("smal")
    assert isinstance(not_found.value, errors.NotFound) and not_found.value.code == "not found"
    with pytest.raises(ValueError, match="top_k is 0, must be"):
        diffie.load("small", top_k=0)
    with pytest.raises(errors.InvalidArgument, match="no setting is named 'topk'"):
        diffie.load("small", topk=1)
    with pytest.raises(errors.InvalidArgument, match="preset"):
        diffie.load("small", preset="slow")


def test_a_broken_model_is_refused(tmp_path: Path) -> None:
    folder = diffie.find_model("small")
    for name in os.listdir(folder):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    vocabulary = (tmp_path / "vocab.txt").read_bytes()
    (tmp_path / "vocab.txt").write_bytes(b"x" + vocabulary[1:])
    with pytest.raises(errors.CorruptModel, match="vocab.txt"):
        diffie.load(tmp_path)


def test_only_text_is_read(extractor: diffie.Extractor) -> None:
    with pytest.raises(TypeError, match="bytes"):
        extractor.extract(b"Ada wrote a program.")  # type: ignore[arg-type]


def test_sentences_as_the_caller_knows_them(extractor: diffie.Extractor) -> None:
    text = "é Ada wrote a program Bob read it"
    document = extractor.extract(text, sentences=[(2, 21), (22, 33)])
    assert [sentence.text for sentence in document.sentences] == [
        "Ada wrote a program",
        "Bob read it",
    ]
    assert [str(triple) for triple in document.triples] == [
        "(Ada; wrote; a program)",
        "(Bob; read; it)",
    ]
    with pytest.raises(ValueError, match="8:12 is not behind"):
        extractor.extract(text, sentences=[(5, 9), (8, 12)])
    for wrong in ((5, 2), (-5, 2), (0, -1), (0, 2**64), (0.5, 3), (1,), (0, 1, 2), ("0", "3"), None):
        with pytest.raises(errors.InvalidArgument, match=re.escape(f"a sentence is {wrong!r}, must be")):
            extractor.extract(text, sentences=[(0, 0), wrong])  # type: ignore[list-item]
    assert extractor.extract(text, sentences=[(22, 10**6)]).sentences[0].span == (22, 33)


def test_pretokenized_lines_are_sentences() -> None:
    extractor = diffie.load("small", pretokenized=True, threads=1)
    document = extractor.extract("Ada wrote a program .\r\n\nBob read it .\n")
    assert [each.text for each in document.sentences] == ["Ada wrote a program .", "", "Bob read it ."]


def test_a_stream_is_as_one_by_one(extractor: diffie.Extractor) -> None:
    documents = corpus(40)
    alone = [extractor.extract(text, id=id) for id, text in documents]
    for batch_size in (None, 1, 7, 1000):
        assert list(extractor.stream(documents, batch_size=batch_size)) == alone


def test_a_stream_is_lazy(extractor: diffie.Extractor) -> None:
    taken = []

    def texts() -> Iterator[str]:
        for number in range(1000):
            taken.append(number)
            yield f"Ada wrote program {number}. Bob read book {number}."

    stream = extractor.stream(texts(), batch_size=4)
    assert taken == []
    first = next(stream)
    assert first.sentences[1].text == "Bob read book 0."
    assert len(taken) <= 5, "two batches of two documents, and one that began"
    for _ in range(10):
        next(stream)
    assert len(taken) <= 15


def test_a_long_document_is_read_in_batches(extractor: diffie.Extractor) -> None:
    long = " ".join(f"Ada wrote program {number}." for number in range(300))
    documents = list(extractor.stream(["Bob left Vienna.", long, "", "Eve read it."], batch_size=16))
    assert [len(document.sentences) for document in documents] == [1, 300, 0, 1]
    assert [triple.object for triple in documents[1].triples] == [f"program {n}" for n in range(300)]


def test_a_bad_document_fails_alone(extractor: diffie.Extractor) -> None:
    texts = ["Ada wrote a program.", None, ("id", 3), ("id", "Bob read it."), ("a", "b", "c")]
    documents = list(extractor.stream(texts))  # type: ignore[arg-type]
    assert [len(document.triples) for document in documents] == [1, 0, 0, 1, 0]
    assert [bool(document.errors) for document in documents] == [False, True, True, False, True]
    failure = documents[2].errors[0]
    assert documents[2].id == "id" and failure.sentence is None and failure.code == "bad input"
    assert failure.message == "the text is of type int, not str"


def test_a_call_that_fails_is_taken_apart(extractor: diffie.Extractor) -> None:
    other = failing_at("Bob read it.", extractor)
    documents = list(other.stream(["Ada wrote a program.", "Bob read it.", "Eve left Vienna."]))
    assert [len(document.triples) for document in documents] == [1, 0, 1]
    assert [document.errors for document in documents] == [
        (),
        (diffie.Failure(None, "exhausted", "out of memory"),),
        (),
    ]


def test_a_sentence_that_fails_is_named(extractor: diffie.Extractor) -> None:
    document = extractor.extract(PLAIN[0], id="d")
    assert document._reading is not None
    text, places, results = document._reading.__getstate__()
    failed = type(document._reading).__new__(type(document._reading))
    failed.__setstate__((text, places, [results[0], ([], "exhausted", "out of memory")]))
    partly = diffie.Document("d", document.text, failed, document.origin)
    assert partly.errors == (diffie.Failure(1, "exhausted", "out of memory"),)
    assert partly.triples == document.sentences[0].triples
    assert diffie.to_arrow(partly).errors.to_pyarrow().to_pylist() == [
        {"document_id": "d", "sentence": 1, "code": "exhausted", "message": "out of memory"}
    ]


def test_an_exception_of_the_source_comes_after_what_was_read(extractor: diffie.Extractor) -> None:
    def texts() -> Iterator[str]:
        yield from ("Ada wrote a program.", "Bob read it.", "Eve left.")
        raise OSError("the disk is gone")

    found = []
    with pytest.raises(OSError, match="the disk is gone"):
        for document in extractor.stream(texts(), batch_size=2):
            found.append(document.text)
    assert found == ["Ada wrote a program.", "Bob read it.", "Eve left."]


def test_a_stream_can_be_left(extractor: diffie.Extractor) -> None:
    stream = extractor.stream(corpus(100), batch_size=8)
    next(stream)
    del stream
    assert extractor.extract(PLAIN[0]).triples


def test_batch_size_is_checked_at_once(extractor: diffie.Extractor) -> None:
    for wrong in (0, -1, 2.5, float("nan"), "3"):
        with pytest.raises(errors.InvalidArgument, match=f"batch_size is {wrong!r}, must be"):
            extractor.stream([], batch_size=wrong)  # type: ignore[arg-type]


def test_one_text_is_no_stream(extractor: diffie.Extractor) -> None:
    for text in (PLAIN[0], PLAIN[0].encode()):
        with pytest.raises(TypeError, match="the documents are one of type (str|bytes)"):
            extractor.stream(text)  # type: ignore[arg-type]


def test_progress_is_shown(extractor: diffie.Extractor, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(list(extractor.stream(PLAIN, progress=True))) == len(PLAIN)
    assert f"{len(PLAIN)}/{len(PLAIN)}" in capsys.readouterr().err
