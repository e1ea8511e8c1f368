"""Stands in for diffie-server where a test needs what the real one does not do at will: a slow answer, one that breaks
off, a full queue, a key. The routes of docs/server.md, canned and naive triples.

A word of the text says what happens: [slow], [broken], [failing], [busy] (once), [key] (until one is sent).
"""
import argparse
import http.server
import io
import json
import pathlib
import re
import tarfile
import time

import mock_answers

WEB = pathlib.Path(__file__).resolve().parents[2] / "apps/server/web"
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
         ".js": "text/javascript; charset=utf-8", ".json": "application/json"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    busy_answered = False

    def log_message(self, *_):
        pass

    def reply(self, status, body, kind="application/json", **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Security-Policy", POLICY)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def fail(self, status, code, message, field=None, **headers):
        self.reply(status, {"error": {"code": code, "message": message, **({"field": field} if field else {})}}, **headers)

    def do_GET(self):
        path = self.path.split("?")[0]
        pages = {"/": "index.html", "/docs": "docs.html"}
        name = pages.get(path) or (path.removeprefix("/web/") if path.startswith("/web/") else None)
        if name and re.fullmatch(r"[\w.]+", name) and (WEB / name).is_file():
            return self.reply(200, (WEB / name).read_bytes(), TYPES[pathlib.Path(name).suffix])
        answers = {"/v1/models": mock_answers.MODELS, "/openapi.json": mock_answers.OPENAPI, "/readyz": {}, "/healthz": {}}
        if path in answers:
            return self.reply(200, answers[path])
        return self.fail(404, "not_found", f"no route {path}")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            request = json.loads(body)
        except ValueError:
            return self.fail(400, "invalid_argument", "the body is no JSON")
        if self.path == "/v1/trace":
            return self.reply(200, mock_answers.trace(request["sentence"], request.get("trajectories", 8)))
        if self.path == "/v1/extract":
            return self.extract(request)
        return self.fail(404, "not_found", f"no route {self.path}")

    def extract(self, request):
        text, options = request["text"], request.get("options", {})
        if not 1 <= options.get("top_k", 12) <= 1024:
            return self.fail(400, "invalid_argument", f"top_k is {options['top_k']}, from 1 to 1024 is allowed", "options.top_k")
        if "[busy]" in text and not Handler.busy_answered:
            Handler.busy_answered = True
            return self.fail(429, "queue_full", "the queue is full", Retry_After="1")
        if "[key]" in text and self.headers.get("Authorization") != "Bearer sesame":
            return self.fail(401, "unauthorized", "a key is asked for")
        sentences = mock_answers.sentences(text, options)
        if request.get("format", "json") not in ("json", "jsonl"):
            return self.file(request["format"], sentences)
        if "ndjson" in self.headers.get("Accept", "") or request.get("format") == "jsonl":
            return self.stream(text, sentences)
        return self.reply(200, {"model": "small", "preset": "balanced", "sentences": sentences})

    def file(self, name, sentences):
        rows = [(each["confidence"], each["subject"], each["relation"], each["object"])
                for sentence in sentences for each in sentence["extractions"]]
        content = "".join("\t".join(map(str, row)) + "\n" for row in rows).encode()
        if name in ("neo4j", "brat"):
            packed = io.BytesIO()
            with tarfile.open(fileobj=packed, mode="w") as archive:
                member = tarfile.TarInfo("nodes.csv")
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
            return self.reply(200, packed.getvalue(), "application/x-tar", Content_Disposition='attachment; filename="diffie.tar"')
        return self.reply(200, content, "text/plain; charset=utf-8", Content_Disposition=f'attachment; filename="diffie.{name}"')

    def stream(self, text, sentences):
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("X-Diffie-Sentences", str(len(sentences)))
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, sentence in enumerate(sentences):
            if number == 3 and "[broken]" in text:
                time.sleep(2)  # what was sent arrives before the end does
                self.close_connection = True
                return
            if number == 3 and "[failing]" in text:
                sentence = {"error": {"code": "deadline", "message": "the deadline has passed"}}
            self.chunk(json.dumps(sentence).encode() + b"\n")
            if "error" in sentence:
                break
            if "[slow]" in text:
                time.sleep(0.2)
        self.chunk(b"")

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def handle(self):
        try:
            super().handle()
        except (BrokenPipeError, ConnectionResetError):
            pass  # the page has stopped reading


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--model", action="append")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", parser.parse_args().port), Handler)
    print(f"diffie: listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
