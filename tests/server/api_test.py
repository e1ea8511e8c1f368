"""POST /v1/extract and what else the server answers, against the command line and its own OpenAPI."""
import concurrent.futures
import io
import json
import tarfile

import jsonschema
import openapi_spec_validator
import prometheus_client.parser
import pytest

from hostile_messages import length, post
from running_server import RunningServer, SENTENCE, TEXT, ask, at_the_same_time, command_line, exchange, statuses

DOCUMENTS = [{"id": "one.txt", "text": TEXT}, {"id": "two", "text": "Rome is in Italy. Bob said that Eve left."},
             {"id": "none", "text": " \n "}, {"id": "sub/\u00e4 b", "text": "Paris, the capital, lies on the Seine."}]


@pytest.fixture(scope="module")
def openapi(server):
    return server.get("/openapi.json").json()


@pytest.fixture(scope="module")
def settings(server):
    return server.get("/v1/models").json()["settings"]


def rows(documents):
    return "".join(json.dumps(each) + "\n" for each in documents)


def lines_of(documents, *options, format="jsonl"):
    return command_line(rows(documents), "--input-format", "jsonl", "--id-field", "id", "--format", format, *options)


def objects(lines):
    return [json.loads(line) for line in lines.decode().splitlines()]


def check(openapi, name, value):
    schema = {"$ref": f"#/components/schemas/{name}", "components": openapi["components"]}
    jsonschema.Draft202012Validator(schema).validate(value)


# Inputs

def test_text_is_what_the_command_line_says(server, openapi):
    answer = server.extract(text=TEXT)
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.json()["model"] == "small"
    assert answer.json()["preset"] == "balanced"
    assert answer.json()["sentences"] == objects(lines_of([{"id": "", "text": TEXT}]))
    check(openapi, "ExtractAnswer", answer.json())


def test_documents_are_what_the_command_line_says(server, openapi):
    answer = server.extract(documents=DOCUMENTS)
    assert answer.json()["sentences"] == objects(lines_of(DOCUMENTS))
    check(openapi, "ExtractAnswer", answer.json())


def test_sentences_are_what_the_command_line_says_of_lines(server):
    sentences = [SENTENCE, "", "One. Two went home.", "Zo\u00eb met \U0001F600 in K\u00f6ln."]
    answer = server.extract(sentences=sentences)
    assert answer.json()["sentences"] == objects(command_line("\n".join(sentences) + "\n", "--lines", "--format", "jsonl"))


def test_documents_without_an_id_have_their_number(server):
    answer = server.extract(documents=[{"text": SENTENCE}, {"text": SENTENCE}])
    assert [each["source"]["document"] for each in answer.json()["sentences"]] == ["0", "1"]


def test_document_offsets_and_source(server):
    documents = [{"id": "d", "text": "\ufeff" + TEXT}]
    answer = server.extract(documents=documents, options={"document_offsets": True})
    assert answer.json()["sentences"] == objects(lines_of(documents, "--document-offsets"))
    text = documents[0]["text"].encode()
    for sentence in answer.json()["sentences"]:
        assert text[slice(*sentence["source"]["bytes"])].decode() == sentence["sentence"]
    assert all("source" not in each for each in
               server.extract(text=TEXT, options={"source": False}).json()["sentences"])


def test_an_endless_text_is_cut_where_the_command_line_cuts_it(server):
    text = "word " * 5000
    options = {"options": {"preset": "fast", "judged": 0, "top_k": 1}}
    found = server.extract(text=text, **options).json()["sentences"]
    assert len(found) > 1
    assert found == objects(lines_of([{"id": "", "text": text}], "--preset", "fast", "--judged", "0", "--top-k", "1"))


@pytest.mark.parametrize("request_", [{"text": ""}, {"text": " \n\t"}, {"documents": []}, {"sentences": []},
                                      {"documents": [{"text": ""}]}])
def test_nothing_in_nothing_out(server, request_):
    assert server.extract(request_).json()["sentences"] == []
    streamed = server.extract(request_, format="jsonl")
    assert (streamed.status, streamed.body, streamed.headers["X-Diffie-Sentences"]) == (200, b"", "0")


# Many clients

MIXED = [({}, ()), ({"preset": "fast"}, ("--preset", "fast")), ({"top_k": 1}, ("--top-k", "1")),
         ({"split_coordination": True, "document_offsets": True}, ("--split-coordination", "--document-offsets")),
         ({"min_confidence": 0.7, "skip_pronouns": True}, ("--min-confidence", "0.7", "--skip-pronouns"))]


def test_the_same_bits_whoever_else_asks(server):
    texts = [TEXT, SENTENCE, TEXT[40:], "Rome is in Italy. " * 7]
    cases = [(texts[i % 4], *MIXED[i % 5]) for i in range(20)]
    wanted = [lines_of([{"id": "", "text": text}], *flags) for text, _, flags in cases]

    def client(number):
        text, options, _ = cases[number % 20]
        if number % 2:
            return server.extract(text=text, options=options, format="jsonl").body
        return server.extract(text=text, options=options).json()["sentences"]

    found = at_the_same_time([lambda number=number: client(number) for number in range(32)])
    for number, answer in enumerate(found):
        lines = wanted[number % 20]
        assert answer == (lines if number % 2 else objects(lines)), cases[number % 20][1]


def test_one_connection_many_requests(server):
    connection = server.connect()
    for _ in range(20):
        answer = ask(connection, "POST", "/v1/extract", json.dumps({"text": SENTENCE}))
        assert answer.status == 200 and answer.headers["Connection"] != "close"
    connection.close()


# Formats


@pytest.mark.parametrize("name", ["jsonl", "tsv", "carb", "corenlp", "ntriples", "turtle", "graphml", "html", "hipporag",
                                  "lightrag", "parquet", "arrow"])
def test_every_format_of_one_file(server, name, tmp_path):
    known = {each["name"] for each in server.get("/v1/models").json()["formats"]}
    answer = server.extract(documents=DOCUMENTS, format=name)
    if name in ("parquet", "arrow"):
        if answer.status == 400:  # built without Arrow
            assert answer.error["field"] == "format"
            return
        lines_of(DOCUMENTS, "--output", str(tmp_path / "table"), format=name)
        assert answer.body == (tmp_path / "table").read_bytes()
    else:
        assert name in known and answer.body == lines_of(DOCUMENTS, format=name)
    assert answer.headers["Content-Type"]
    if name not in ("jsonl", "json"):
        assert answer.headers["Content-Disposition"].startswith('attachment; filename="diffie.')


@pytest.mark.parametrize("name", ["neo4j", "brat"])
def test_every_format_of_several_files(server, name, tmp_path):
    documents = DOCUMENTS + [{"id": "long-" + "n" * 90, "text": SENTENCE}, {"id": "../../up", "text": SENTENCE}]
    answer = server.extract(documents=documents, format=name)
    assert answer.headers["Content-Type"] == "application/x-tar"
    lines_of(documents, "--output", str(tmp_path / "folder"), format=name)
    wanted = {path.name: path.read_bytes() for path in (tmp_path / "folder").iterdir()}
    with tarfile.open(fileobj=io.BytesIO(answer.body)) as archive:
        members = archive.getmembers()
        assert all(each.isfile() and "/" not in each.name for each in members)
        assert {each.name: archive.extractfile(each).read() for each in members} == wanted


def test_options_of_formats(server):
    options = {"classic_reification": True, "base_iri": "https://example.org/"}
    answer = server.extract(documents=DOCUMENTS, format="turtle", options=options)
    assert answer.body == lines_of(DOCUMENTS, "--classic-reification", "--base-iri", "https://example.org/", format="turtle")
    assert server.extract(text="a", format="turtle", options={"base_iri": "no iri"}).status == 400


def test_a_stream_begins_before_it_ends(server):
    sentences = [f"Ada Lovelace wrote program number {number} in London, and Bob did not read it." for number in range(400)]
    connection = server.connect()
    connection.request("POST", "/v1/extract", json.dumps({"sentences": sentences}), {"Accept": "application/x-ndjson"})
    response = connection.getresponse()
    assert response.headers["Content-Type"] == "application/x-ndjson"
    assert response.headers["X-Diffie-Sentences"] == "400"
    assert response.headers["Transfer-Encoding"] == "chunked"
    first = response.readline()
    under_way = server.metrics()
    assert under_way["diffie_requests_active"] >= 1
    assert under_way["diffie_queue_sentences"] > 0
    rest = response.read().splitlines()
    connection.close()
    assert [json.loads(line)["sentence"] for line in [first, *rest]] == sentences


@pytest.mark.parametrize("accept, streamed", [
    (["application/x-ndjson"], True), (["APPLICATION/X-NDJSON"], True), (["text/html", "application/x-ndjson"], True),
    (["application/x-ndjson;q=0"], False), (["application/json", "application/x-ndjson;q=0.1"], False),
    (["application/json, application/x-ndjson;q=0.1"], False), (["application/x-ndjson-seq"], False), (["*/*"], False)])
def test_what_the_client_would_take(server, accept, streamed):
    """A list of headers of one name is one list."""
    body = json.dumps({"text": SENTENCE}).encode()
    received = exchange(server, post(body, length(body), b"Connection: close", *(b"Accept: " + each.encode() for each in accept)),
                        half_close=False)
    assert statuses(received) == [200]
    assert (b"Content-Type: application/x-ndjson\r\n" in received) == streamed


# Options

LEGAL = {"integer": 1, "number": 0.5, "flag": True, "seed": 7, "list": []}
WRONG_TYPES = ["1", None, [1.5], {}, [["a"]]]


def legal(info):
    return info["names"][0] if info["kind"] == "name" else LEGAL[info["kind"]]


def test_every_option_takes_a_legal_value(server, settings, openapi):
    properties = openapi["components"]["schemas"]["ExtractRequest"]["properties"]["options"]["properties"]
    for info in settings:
        value = legal(info)
        if info["kind"] == "name" and info["name"] == "selector":
            value = "learned"
        jsonschema.validate(value, properties[info["name"]])
        answer = server.extract(text="", options={info["name"]: value})
        assert answer.status == 200, (info["name"], answer.body)
    assert server.extract(text="", options={"seed": 2**64 - 1, "top_k": 1.0}, deadline_ms=1e4).status == 200


def wrong_values(info):
    values = [each for each in WRONG_TYPES if not (info["kind"] == "name" and isinstance(each, str))]
    if info["kind"] in ("integer", "number"):
        values += [info["maximum"] + 1, -1, 1e308, -1e308, True, 2**63, 2**64]
        values += [info["minimum"] - 1] + ([0] if info["minimum"] > 0 else [])
        if info["kind"] == "integer":
            values += [1.5]
    elif info["kind"] == "seed":
        values += [-1, 2**64, 1.5, 1e308, True]
    elif info["kind"] == "name":
        values += ["", "no such name", "a" * 1000, 0, True]
    elif info["kind"] == "flag":
        values += [0, 1, "true"]
    else:
        values += [[0], [-1], [True], ["1"], [1e308], [2**64], 3, [1] * 5000]
    return values


def test_every_option_refuses_what_is_not_one(server, settings, openapi):
    connection = server.connect()
    asked = 0
    for info in settings:
        for value in wrong_values(info):
            answer = ask(connection, "POST", "/v1/extract", json.dumps({"text": "", "options": {info["name"]: value}}))
            assert answer.status == 400, (info["name"], value, answer.body)
            assert answer.error["code"] == "invalid_argument"
            assert answer.error["field"] == f"options.{info['name']}", value
            assert len(answer.error["message"]) < 400
            check(openapi, "Error", answer.json())
            asked += 1
    connection.close()
    assert asked > 200


@pytest.mark.parametrize("name", ["threads", "device", "devices", "precision", "no_such", "", "a\x00b", "x" * 5000])
def test_options_that_are_not_the_clients(server, name):
    error = server.extract(text="a", options={name: 1}).error
    assert error["field"].startswith("options.") and len(error["field"]) < 400


# Requests that are none

@pytest.mark.parametrize("body, field", [
    ("", None), ("{", None), ("[]", None), ("null", None), ('"text"', None), ('{"text": "a"} x', None),
    ('{"text": "a", "text": "b"}', "text"), ('{"text": "a", "options": {"top_k": 1, "top_k": 2}}', "options.top_k"),
    ('{"text": "a", "options": {"times": [1, 2]}}', "options.times"), ('{"text": "a", "options": {"shared": [2]}}', "options.shared"),
    ('{"text": "a", "options": {"steps": 2, "times": [1, 2]}}', "options.times"),
    ('{"text": "a", "options": {"steps": 4000}}', "options.steps"),
    ('{"text": "a", "format": "ntriples", "options": {"base_iri": ""}}', "options.base_iri"),
    ('{"text": "a", "format": "tsv", "options": {"document_offsets": true}}', "options.document_offsets"),
    ('{"sentences": ["a"], "options": {"source": true}}', "options.source"),
    ('{"text": "a", "options": ' + "[" * 65 + "]" * 65 + "}", None),
    (b'{"text": "\xff"}', None), (b'{"text": "\xed\xa0\x80"}', None), ('{"text": "\\ud800"}', None),
    ('{"text": "a\x00b"}', None), ('{"text": NaN}', None), ("{'text': 'a'}", None), ('{"text": "a",}', None),
    ("{}", "text"), ('{"text": "a", "sentences": []}', None), ('{"text": 1}', "text"), ('{"text": null}', "text"),
    ('{"text": ["a"]}', "text"), ('{"text": "a", "more": 1}', "more"), ('{"text": "a", "model": 1}', "model"),
    ('{"text": "a", "format": "word"}', "format"), ('{"text": "a", "format": null}', "format"),
    ('{"text": "a", "options": null}', "options"), ('{"text": "a", "options": [1]}', "options"),
    ('{"text": "a", "options": {"preset": "none"}}', "options.preset"),
    ('{"text": "a", "options": {"preset": 1}}', "options.preset"),
    ('{"text": "a", "options": {"document_offsets": 1}}', "options.document_offsets"),
    ('{"text": "a", "deadline_ms": 0}', "deadline_ms"), ('{"text": "a", "deadline_ms": -1}', "deadline_ms"),
    ('{"text": "a", "deadline_ms": 1e308}', "deadline_ms"), ('{"text": "a", "deadline_ms": 18446744073709551615}', "deadline_ms"),
    ('{"sentences": "a"}', "sentences"), ('{"sentences": [1]}', "sentences[0]"),
    ('{"sentences": ["a", null]}', "sentences[1]"), ('{"sentences": ["' + "a" * 20001 + '"]}', "sentences[0]"),
    ('{"documents": {}}', "documents"), ('{"documents": ["a"]}', "documents[0]"),
    ('{"documents": [{"id": "a"}]}', "documents[0].text"), ('{"documents": [{"text": 1}]}', "documents[0].text"),
    ('{"documents": [{"text": "", "id": 1}]}', "documents[0].id"),
    ('{"documents": [{"text": "", "name": ""}]}', "documents[0].name"),
    ('{"documents": [{"text": "", "id": "a"}, {"text": "", "id": "a"}]}', "documents[1].id"),
    ('{"sentences": [' + '"",' * 250_000 + '""]}', None),
])
def test_what_is_no_request(server, openapi, body, field):
    answer = server.ask("POST", "/v1/extract", body, {"Content-Type": "application/json"})
    assert answer.status == 400
    assert answer.error["code"] == "invalid_argument"
    assert answer.error.get("field") == field
    assert "\n" not in answer.error["message"] and 0 < len(answer.error["message"]) < 500
    check(openapi, "Error", answer.json())


def test_unknown_model(server):
    answer = server.extract(text="a", model="large")
    assert (answer.status, answer.error["code"], answer.error["field"]) == (404, "not_found", "model")


def test_zero_bytes_written_as_json_are_text(server):
    answer = server.extract(text="Ada wrote\x00 a program.")
    assert answer.json()["sentences"][0]["sentence"] == "Ada wrote\x00 a program."


@pytest.mark.parametrize("content_type, status", [
    ("application/json", 200), ("Application/JSON; charset=UTF-8", 200), ("text/plain", 200), (None, 200),
    ("application/ld+json", 200), ("application/xml", 415), ("multipart/form-data; boundary=x", 415)])
def test_content_types(server, content_type, status):
    answer = server.extract(text="", headers={"Content-Type": content_type} if content_type else {})
    assert answer.status == status


# Routes

@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/openapi.json", "/v1/models", "/", "/docs", "/ping"])
def test_head_is_get_without_the_body(server, path):
    connection = server.connect()
    head = ask(connection, "HEAD", path)
    get = ask(connection, "GET", path)  # by the same connection: no body is in its way
    connection.close()
    assert (head.status, head.body, get.status) == (200, b"", 200)
    assert head.headers["Content-Type"] == get.headers["Content-Type"]
    assert int(head.headers["Content-Length"]) > 0
    assert get.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("method, path, status, allow", [
    ("GET", "/v1/extract", 405, "POST"), ("HEAD", "/v1/trace", 405, "POST"), ("PUT", "/v1/extract", 405, "POST"),
    ("POST", "/healthz", 405, "GET, HEAD"), ("DELETE", "/", 405, "POST, GET, HEAD"), ("BREW", "/metrics", 405, "GET, HEAD"),
    ("GET", "/v1", 404, None), ("GET", "/v1/extract/", 404, None), ("GET", "/web/../main.cpp", 404, None),
    ("GET", "/web/%2e%2e/main.cpp", 404, None), ("GET", "/%00", 404, None), ("GET", "/web/", 404, None),
    ("GET", "/" + "a" * 4000, 404, None)])
def test_routes_and_methods_that_are_not(server, openapi, method, path, status, allow):
    answer = server.ask(method, path, "" if method in ("POST", "PUT") else None)
    assert answer.status == status
    assert answer.headers["Allow"] == allow
    if method != "HEAD":
        assert answer.error["code"] == {404: "not_found", 405: "method_not_allowed"}[status]
        check(openapi, "Error", answer.json())


def test_openapi_is_valid(openapi):
    openapi_spec_validator.validate(openapi)
    assert {"/v1/extract", "/v1/trace", "/v1/models", "/healthz", "/readyz", "/metrics", "/openapi.json"} <= set(openapi["paths"])


POST_ERRORS = {"400", "401", "403", "404", "405", "408", "411", "413", "415", "429", "431", "500", "503", "504"}


def test_openapi_has_every_status(openapi):
    for path in ("/v1/extract", "/v1/trace"):
        assert set(openapi["paths"][path]["post"]["responses"]) == POST_ERRORS | {"200"}
    for path in ("/v1/models", "/metrics"):
        assert {"200", "401", "403", "405", "431"} <= set(openapi["paths"][path]["get"]["responses"])
    for path in ("/healthz", "/readyz", "/openapi.json"):
        assert "401" not in openapi["paths"][path]["get"]["responses"]


def test_openapi_has_every_content_type(server, openapi):
    content = openapi["paths"]["/v1/extract"]["post"]["responses"]["200"]["content"]
    found = set()
    for name in openapi["components"]["schemas"]["ExtractRequest"]["properties"]["format"]["enum"]:
        answer = server.extract(text=SENTENCE, format=name)
        if answer.status == 400:  # built without Arrow
            assert name in ("parquet", "arrow") and answer.error["field"] == "format"
            continue
        kind = answer.headers["Content-Type"].split(";")[0]
        found.add(kind)
        schema = {**content[kind].get("schema", {}), "components": openapi["components"]}
        value = answer.json() if kind == "application/json" else None
        if value is not None:
            jsonschema.Draft202012Validator(schema).validate(value)
    assert len(found) > 5


def test_openapi_has_every_line_of_a_stream(server, openapi):
    schema = openapi["paths"]["/v1/extract"]["post"]["responses"]["200"]["content"]["application/x-ndjson"]["schema"]
    validator = jsonschema.Draft202012Validator({**schema, "components": openapi["components"]})
    sentences = [f"Ada Lovelace wrote program {number} in London." for number in range(3000)]
    lines = objects(server.extract(sentences=sentences, format="jsonl", deadline_ms=400).body)
    assert lines[-1]["error"]["code"] == "deadline"
    for line in (lines[0], lines[-1]):
        validator.validate(line)
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({"model": "small"})


def test_openapi_refuses_what_the_server_refuses(server, openapi):
    for request in ({"text": "a", "options": {"seed": 2**64}}, {"sentences": ["a" * 20_001]},
                    {"text": "a", "options": {"times": [1] * 4097}}, {"text": "a", "deadline_ms": 1.5}):
        assert server.extract(request).status == 400
        with pytest.raises(jsonschema.ValidationError):
            check(openapi, "ExtractRequest", request)
    for request in ({"text": "", "options": {"seed": 2**64 - 1}}, {"text": "", "deadline_ms": 1000.0}):
        assert server.extract(request).status == 200
        check(openapi, "ExtractRequest", request)


def test_openapi_says_where_a_key_is_needed(tmp_path):
    (tmp_path / "keys").write_text("key\n")
    with RunningServer("--api-keys", str(tmp_path / "keys")) as running:
        document = running.get("/openapi.json").json()
        openapi_spec_validator.validate(document)
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                needed = running.ask(method.upper(), path, "{}" if method == "post" else None).status == 401
                assert needed == bool(operation.get("security", document["security"])), path
                assert needed == ("401" in operation["responses"]), path


def test_models(server, settings, openapi):
    answer = server.get("/v1/models").json()
    assert [model["name"] for model in answer["models"]] == ["small"]
    names = {each["name"] for each in settings}
    for preset in answer["models"][0]["presets"]:
        assert set(preset["settings"]) <= names
        assert server.extract(text="", options=preset["settings"]).status == 200
    assert not names & {"threads", "device", "devices", "precision"}
    enum = openapi["components"]["schemas"]["ExtractRequest"]["properties"]["format"]["enum"]
    assert enum == [each["name"] for each in answer["formats"]]


def test_trace(server):
    answer = server.ask("POST", "/v1/trace", json.dumps({"sentence": SENTENCE, "trajectories": 3}))
    found = answer.json()
    assert answer.status == 200 and found["sentence"] == SENTENCE
    assert 0 < len(found["trajectories"]) <= 3
    for trajectory in found["trajectories"]:
        assert len(trajectory["tags"]) == len(found["pieces"])
        assert trajectory["steps"][-1]["state"] == trajectory["tags"]
    top = objects(lines_of([{"id": "", "text": SENTENCE}]))[0]["extractions"][0]
    assert (top["subject"], top["relation"], top["object"]) in {
        (each["subject"], each["relation"], each["object"]) for each in found["clusters"]}


@pytest.mark.parametrize("request_, field", [
    ({}, "sentence"), ({"sentence": 1}, "sentence"), ({"sentence": "a", "trajectories": 0}, "trajectories"),
    ({"sentence": "a", "trajectories": 65}, "trajectories"), ({"sentence": "a", "text": ""}, "text"),
    ({"sentence": "a" * 20001}, "sentence"), ({"sentence": "a", "options": {"source": True}}, "options.source"),
    ({"sentence": "a", "options": {"top_k": 0}}, "options.top_k")])
def test_what_is_no_request_for_a_trace(server, request_, field):
    answer = server.ask("POST", "/v1/trace", json.dumps(request_))
    assert (answer.status, answer.error["field"]) == (400, field)


def test_metrics_are_what_prometheus_reads(server):
    before = server.metrics()
    server.extract(sentences=[SENTENCE] * 3)
    text = server.get("/metrics")
    assert text.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    families = {each.name: each for each in prometheus_client.parser.text_string_to_metric_families(text.body.decode())}
    for name in ("diffie_request_seconds", "diffie_queue_seconds", "diffie_batch_sentences", "diffie_request_sentences"):
        assert families[name].type == "histogram"
        counts = [each.value for each in families[name].samples if each.name.endswith("_bucket")
                  and each.labels.get("route", "extract") == "extract"]
        assert counts == sorted(counts) and counts[-1] > 0
    after = server.metrics()
    assert after["diffie_sentences_total"] == before["diffie_sentences_total"] + 3
    assert after["diffie_request_sentences_sum"] == before["diffie_request_sentences_sum"] + 3
    assert after["diffie_queue_sentences"] == 0
    assert after["diffie_ready"] == 1
    assert after['diffie_requests_total{route="extract",status="200"}'] > 0


def test_a_few_traces_at_once_are_enough(server):
    request = json.dumps({"sentence": SENTENCE * 20, "options": {"samples": 4096}})
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda _: server.ask("POST", "/v1/trace", request), range(12)))
    assert {answer.status for answer in answers} == {200, 429}
    for answer in answers:
        if answer.status == 429:
            assert answer.headers["Retry-After"] == "1" and answer.error["code"] == "queue_full"
