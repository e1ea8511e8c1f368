"""Clients of Stanford CoreNLP, unchanged, with our server in its place: stanza, stanford-openie, and bare requests."""
import importlib.util
import json
import sys
import types
import urllib.parse

import pytest
import requests

from running_server import SENTENCE, TEXT, command_line


def import_without_its_top(package):
    """Their top modules import PyTorch, which their clients of CoreNLP do not need."""
    module = types.ModuleType(package)
    module.__path__ = list(importlib.util.find_spec(package).submodule_search_locations)
    sys.modules[package] = module


import_without_its_top("stanza")
import_without_its_top("stanfordnlp")
import stanza.protobuf  # noqa: E402
import stanza.server.client as stanza_client  # noqa: E402

sys.modules["stanfordnlp.protobuf"] = stanza.protobuf  # its own is too old for the protobuf of today
sys.modules["wget"] = types.ModuleType("wget")  # nothing is downloaded
import openie  # noqa: E402


@pytest.fixture(scope="module")
def wanted():
    line = json.dumps({"id": "", "text": TEXT}) + "\n"
    printed = command_line(line, "--input-format", "jsonl", "--id-field", "id", "--format", "corenlp")
    return json.loads(printed)


@pytest.fixture
def client(server):
    return stanza_client.CoreNLPClient(start_server=stanza_client.StartServer.DONT_START, endpoint=server.url,
                                       annotators="openie", be_quiet=True)


def test_stanza_with_json(client, wanted):
    assert client.annotate(TEXT, output_format="json") == wanted


@pytest.mark.parametrize("annotators", ["openie", ["tokenize", "ssplit", "openie"]])
def test_stanza_with_protocol_buffers(client, wanted, annotators):
    document = client.annotate(TEXT, annotators=annotators, properties={"openie.resolve_coref": "false"})
    assert document.text == TEXT
    assert len(document.sentence) == len(wanted["sentences"])
    tokens_before = 0
    units = TEXT.encode("utf-16-le")
    for sentence, other in zip(document.sentence, wanted["sentences"]):
        assert sentence.sentenceIndex == other["index"]
        text = units[2 * sentence.characterOffsetBegin:2 * sentence.characterOffsetEnd].decode("utf-16-le")
        assert text == sentence.text and stanza.protobuf.to_text(sentence) == text
        assert (sentence.tokenOffsetBegin, sentence.tokenOffsetEnd) == (tokens_before, tokens_before + len(sentence.token))
        for token, each in zip(sentence.token, other["tokens"], strict=True):
            assert (token.word, token.originalText) == (each["word"], each["originalText"])
            assert (token.beginChar, token.endChar) == (each["characterOffsetBegin"], each["characterOffsetEnd"])
            assert TEXT[token.codepointOffsetBegin:token.codepointOffsetEnd] == token.word
        for triple, each in zip(sentence.openieTriple, other["openie"], strict=True):
            assert (triple.subject, triple.relation, triple.object) == (each["subject"], each["relation"], each["object"])
            assert triple.confidence == pytest.approx(each["confidence"], abs=1e-6)  # six digits in JSON
            for places, name in ((triple.subjectTokens, "subject"), (triple.objectTokens, "object"),
                                 (triple.relationTokens, "relation")):
                assert all(place.sentenceIndex == other["index"] for place in places)
                numbers = [place.tokenIndex for place in places]
                assert ([numbers[0], numbers[-1] + 1] if numbers else [0, 0]) == each[name + "Span"]
        tokens_before += len(sentence.token)
    assert any(sentence.openieTriple for sentence in document.sentence)


def test_stanza_and_an_empty_text(client):
    document = client.annotate("")
    assert document.text == "" and not document.sentence
    assert client.annotate(" \n", output_format="json")["sentences"] == []


def test_stanza_hears_why(client):
    with pytest.raises(stanza_client.AnnotationException, match="openie must be among them"):
        client.annotate(TEXT, annotators="ner", output_format="json")
    with pytest.raises(stanza_client.AnnotationException, match="must be json or serialized"):
        client.annotate(TEXT, output_format="xml")


def test_stanford_openie(server, wanted, tmp_path):
    (tmp_path / "corenlp").mkdir()  # there already, it thinks
    with openie.StanfordOpenIE(install_dir_path=tmp_path, start_server=False, endpoint=server.url) as client:
        triples = client.annotate(TEXT, properties={"openie.affinity_probability_cap": 2 / 3})
        full = client.annotate(TEXT, simple_format=False)
    assert full == wanted
    assert triples == [{name: triple[name] for name in ("subject", "relation", "object")}
                       for sentence in wanted["sentences"] for triple in sentence["openie"]]


@pytest.mark.parametrize("properties", [
    '{"annotators": "openie", "outputFormat": "json"}', "{'annotators': 'tokenize,openie', 'outputFormat': 'json'}",
    "{annotators=tokenize,openie, outputFormat=json}", "annotators=openie,outputFormat=json",
    "{'annotators': ['ner', 'openie'], 'outputFormat': 'json'}", '{"annotators": ["tokenize", "openie"]}', "{}", ""])
def test_properties_as_clients_write_them(server, properties):
    answer = requests.post(f"{server.url}/?properties={urllib.parse.quote(properties)}", data=SENTENCE.encode())
    assert answer.status_code == 200
    assert [each["word"] for each in answer.json()["sentences"][0]["tokens"]] == ["Ada", "Lovelace", "wrote", "the", "first",
                                                                               "program", "."]


@pytest.mark.parametrize("properties, field", [
    *((text, "properties") for text in ("{", "}", "{'a", "{,,,:::}", "garbage", "[", '"', '{"a": 1} b')),
    ('{"a": {"b": 1}, "outputFormat": "xml"}', "outputFormat"), ('{"annotators": "notopenie"}', "annotators"),
    ("{annotators=tokenize,ner, outputFormat=json}", "annotators"), ("{'annotators': ['ner']}", "annotators")])
def test_properties_that_are_none(server, properties, field):
    answer = requests.post(f"{server.url}/?properties={urllib.parse.quote(properties)}", data=SENTENCE.encode())
    assert (answer.status_code, answer.json()["error"]["field"]) == (400, field)


def test_parameters_of_the_query(server):
    assert requests.post(f"{server.url}/?annotators=openie&outputFormat=json", data="Ada left.").status_code == 200
    assert requests.post(f"{server.url}/?annotators=ner", data="Ada left.").status_code == 400


def test_alive(server):
    for path, text in (("ping", "pong\n"), ("live", "pong\n")):
        assert requests.get(f"{server.url}/{path}").text == text
    assert requests.get(f"{server.url}/ready").status_code == 200


def test_what_is_no_text(server):
    assert requests.post(server.url, data=b"\xff\xfe").status_code == 400
    assert server.extract(text="a", format="corenlp-serialized").error["field"] == "format"
    answer = requests.post(server.url, data=b"\x0a", headers={"Content-Type": "application/x-protobuf"})
    assert answer.status_code == 415
