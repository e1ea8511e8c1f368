"""Pages of other origins, in whose name a browser asks."""
import contextlib
import json

import pytest

from running_server import RunningServer, SENTENCE, ask

FOREIGN = ["https://evil.example", "null", "http://localhost", "http://localhost:1", "file://", "http://127.0.0.1.evil.example"]
APP = "https://app.example"
PREFLIGHT = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_page_of_another_origin_is_refused(server, origin):
    """Also what a form could send, which no browser asks about beforehand."""
    for method, path, body in (("POST", "/v1/extract", json.dumps({"text": SENTENCE})), ("POST", "/", SENTENCE),
                               ("GET", "/v1/models", None), ("GET", "/metrics", None), ("OPTIONS", "/v1/extract", None)):
        answer = server.ask(method, path, body, {"Origin": origin, "Content-Type": "text/plain", **PREFLIGHT})
        assert (answer.status, answer.error["code"]) == (403, "forbidden"), (method, path)
        assert "--origin" in answer.error["message"]
        assert answer.headers["Access-Control-Allow-Origin"] is None
    assert server.extract(text=SENTENCE).status == 200


def test_our_own_page_and_programs_are_not(server):
    for origin in (server.url, server.url.upper(), server.url.replace("http", "https")):
        assert server.extract(text=SENTENCE, headers={"Origin": origin}).status == 200
    assert server.extract(text=SENTENCE).status == 200


def test_an_origin_that_is_let_in_may_read():
    with RunningServer("--origin", APP) as running:
        asked = running.ask("OPTIONS", "/v1/extract", headers={"Origin": APP, **PREFLIGHT})
        assert (asked.status, asked.body) == (204, b"")
        assert not {"content-length", "content-type", "transfer-encoding"} & {name.lower() for name in asked.headers.keys()}
        assert "POST" in asked.headers["Access-Control-Allow-Methods"]
        assert "Content-Type" in asked.headers["Access-Control-Allow-Headers"]
        for answer in (asked, running.extract(text=SENTENCE, headers={"Origin": APP}),
                       running.extract(text=SENTENCE, format="jsonl", headers={"Origin": APP}),
                       running.extract(text=1, headers={"Origin": APP})):
            assert answer.headers["Access-Control-Allow-Origin"] == APP and answer.headers["Vary"] == "Origin"
        assert running.extract(text=SENTENCE).headers["Access-Control-Allow-Origin"] is None
        for origin in FOREIGN:
            assert running.extract(text=SENTENCE, headers={"Origin": origin}).status == 403


def test_a_connection_goes_on_behind_an_answer_without_a_body():
    with RunningServer("--origin", APP) as running, contextlib.closing(running.connect()) as connection:
        for _ in range(2):
            assert ask(connection, "OPTIONS", "/v1/extract", headers={"Origin": APP, **PREFLIGHT}).status == 204
            assert ask(connection, "GET", "/ping").body == b"pong\n"


def test_any_origin_where_all_are_let_in():
    with RunningServer("--origin", "*") as running:
        for origin in FOREIGN:
            answer = running.extract(text=SENTENCE, headers={"Origin": origin})
            assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (200, origin)


@pytest.mark.parametrize("written", [APP + "/", APP + ":443", APP.upper()])
def test_an_origin_as_people_write_it(written):
    with RunningServer("--origin", written) as running:
        answer = running.extract(text=SENTENCE, headers={"Origin": APP})
        assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (200, APP)


@pytest.mark.parametrize("written", ["app.example", APP + "/path", "https://*.example"])
def test_an_origin_that_no_page_has(written):
    with pytest.raises(RuntimeError, match="ended with 2: .*--origin is "):
        RunningServer("--origin", written)
