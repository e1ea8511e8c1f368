"""Messages that are none, or not ours, as raw bytes."""
import json

from running_server import SENTENCE

BODY = json.dumps({"text": SENTENCE}).encode()
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


def post(body, *headers, path=b"/v1/extract", version=b"1.1"):
    lines = [b"POST " + path + b" HTTP/" + version, b"Host: localhost", *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def chunked(*chunks, last=b"0\r\n\r\n"):
    body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    return post(body + last, b"Transfer-Encoding: chunked")


def length(body):
    return b"Content-Length: %d" % len(body)


# Where they end is not said once and plainly: refused with 400 or 411, and what comes behind them is never read.
NO_MESSAGES = {
    "two lengths": post(BODY, length(BODY), b"Content-Length: 1"),
    "the same length twice": post(BODY, length(BODY), length(BODY)),
    "a list of lengths": post(BODY, length(BODY) + b", %d" % len(BODY)),
    "negative": post(BODY, b"Content-Length: -1"),
    "plus": post(BODY, b"Content-Length: +%d" % len(BODY)),
    "hex": post(BODY, b"Content-Length: 0x10"),
    "not a number": post(BODY, b"Content-Length: ten"),
    "empty": post(BODY, b"Content-Length:"),
    "beyond 64 bits": post(BODY, b"Content-Length: 18446744073709551617"),
    "length and chunks": post(b"0\r\n\r\n", b"Content-Length: 5", b"Transfer-Encoding: chunked"),
    "chunks and length": post(b"0\r\n\r\n", b"Transfer-Encoding: chunked", b"Content-Length: 5"),
    "unknown encoding": post(BODY, length(BODY), b"Transfer-Encoding: xchunked"),
    "not chunked last": post(BODY, b"Transfer-Encoding: chunked, identity"),
    "gzip, chunked": post(BODY, b"Transfer-Encoding: gzip, chunked"),
    "chunked twice": post(b"0\r\n\r\n", b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked"),
    "chunked, chunked": post(b"0\r\n\r\n", b"Transfer-Encoding: chunked, chunked"),
    "identity": post(BODY, b"Transfer-Encoding: identity"),
    "vertical tab": post(b"0\r\n\r\n", b"Transfer-Encoding: \x0bchunked"),
    "blank before the colon": post(BODY, b"Content-Length : %d" % len(BODY)),
    "chunks in 1.0": post(b"0\r\n\r\n", b"Transfer-Encoding: chunked", version=b"1.0"),
    "NUL in a header": post(BODY, length(BODY), b"X: a\0b"),
    "NUL in a name": post(BODY, length(BODY), b"X\0: a"),
    "a bare line feed": b"POST /v1/extract HTTP/1.1\nHost: localhost\n\n",
    "a lone return": post(BODY, length(BODY), b"X: a\rContent-Length: 0"),
    "no colon": post(BODY, length(BODY), b"X"),
    "no name": post(BODY, length(BODY), b": a"),
    "no host": b"GET /healthz HTTP/1.1\r\n\r\n",
    "two hosts": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
    "version 2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "version 9": b"GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n",
    "version 0.9": b"GET /healthz\r\n\r\n",
    "blanks": b"GET  /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "no target": b"GET HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 100,
    "zeros": b"\0" * 1000,
    "high bytes": b"\xff" * 1000 + b"\r\n\r\n",
    "chunk: not hex": chunked(last=b"zz\r\n\r\n"),
    "chunk: negative": chunked(last=b"-1\r\n\r\n"),
    "chunk: 0x": chunked(last=b"0x1\r\na\r\n0\r\n\r\n"),
    "chunk: blank": chunked(last=b" 1\r\na\r\n0\r\n\r\n"),
    "chunk: without its end": chunked(last=b"1\r\nab\r\n0\r\n\r\n"),
    "chunk: line feed": chunked(last=b"1\na\r\n0\r\n\r\n"),
    "chunk: without a size": chunked(last=b"\r\n\r\n"),
    "chunk: beyond 64 bits": chunked(last=b"1" + b"0" * 16 + b"\r\na"),
    "chunk: plus": chunked(last=b"+1\r\na\r\n0\r\n\r\n"),
    "chunk: all bits": chunked(last=b"FFFFFFFFFFFFFFFFF\r\na"),
    "chunk: no line end": chunked(last=b"1\r\na0\r\n\r\n"),
    "chunk: a lone return": chunked(last=b"1\ra\r\n0\r\n\r\n"),
    "chunk: comma": chunked(last=b"1,\r\na\r\n0\r\n\r\n"),
    "chunk: NUL": chunked(last=b"1\0\r\na\r\n0\r\n\r\n"),
    "chunk: extension with a line feed": chunked(last=b"1;a\nb\r\na\r\n0\r\n\r\n"),
    "trailer: no colon": chunked(last=b"0\r\nX\r\n\r\n"),
    "trailer: NUL": chunked(last=b"0\r\nX: \0\r\n\r\n"),
    "length: two numbers": post(BODY, b"Content-Length: 5 5"),
    "length: exponent": post(BODY, b"Content-Length: 1e2"),
    "length: semicolon": post(BODY, b"Content-Length: 5;"),
    "length: NUL": post(BODY, b"Content-Length: 5\0"),
    "length: beyond everything": post(BODY, b"Content-Length: " + b"9" * 40),
    "length: other digits": post(BODY, b"Content-Length: \xd9\xa5"),
    "encoding: quoted": post(b"0\r\n\r\n", b'Transfer-Encoding: "chunked"'),
    "encoding: parameter": post(b"0\r\n\r\n", b"Transfer-Encoding: chunked;q=1"),
    "encoding: comma": post(b"0\r\n\r\n", b"Transfer-Encoding: chunked,"),
    "encoding: comma first": post(b"0\r\n\r\n", b"Transfer-Encoding: ,chunked"),
    "encoding: blank before the colon": post(b"0\r\n\r\n", b"Transfer-Encoding : chunked"),
    "encoding: form feed": post(b"0\r\n\r\n", b"Transfer-Encoding: \x0cchunked"),
    "encoding: NUL": post(b"0\r\n\r\n", b"Transfer-Encoding: chunked\0"),
    "encoding: none": post(b"0\r\n\r\n", b"Transfer-Encoding:"),
    "encoding: split word": post(b"0\r\n\r\n", b"Transfer-Encoding: chun", b" ked"),
    "a header before the first": b"GET /healthz HTTP/1.1\r\n X: a\r\nHost: localhost\r\n\r\n",
    "a tab for a blank": b"GET\t/healthz\tHTTP/1.1\r\nHost: localhost\r\n\r\n",
    "NUL in the target": b"GET /heal\0thz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a blank in the target": b"GET /heal thz HTTP/1.1\r\nHost: localhost\r\n\r\n",
}

SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
SMUGGLED_CHUNK = b"%x\r\n%s\r\n0\r\n\r\n" % (len(SMUGGLED), SMUGGLED)

# A request within another, which two readers could take for two: one answer, never to what is inside.
HIDING = {
    "CL.TE": post(b"0\r\n\r\n" + SMUGGLED, b"Content-Length: %d" % (5 + len(SMUGGLED)), b"Transfer-Encoding: chunked"),
    "TE.CL": post(SMUGGLED_CHUNK, b"Transfer-Encoding: chunked", b"Content-Length: 4"),
    "TE.TE": post(b"0\r\n\r\n" + SMUGGLED, b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity"),
    "TE.TE, cow": post(b"0\r\n\r\n" + SMUGGLED, b"Transfer-Encoding: cow", b"Transfer-Encoding: chunked"),
    "TE.TE, x": post(SMUGGLED_CHUNK, b"Transfer-Encoding: xchunked", b"Content-Length: 4"),
    "CL.CL": post(b"a" + SMUGGLED, b"Content-Length: 1", b"Content-Length: %d" % (1 + len(SMUGGLED))),
    "folded": post(b"0\r\n\r\n" + SMUGGLED, b"X: a\r\n Transfer-Encoding: chunked",
                   b"Connection: close", b"Content-Length: %d" % (5 + len(SMUGGLED))),
    "bare line feeds": b"POST /v1/extract HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n" + SMUGGLED,
    "line feed in a value": post(SMUGGLED, b"X: a\nContent-Length: 0", length(SMUGGLED)),
    "NUL in a value": post(SMUGGLED, b"X: \0", b"Content-Length: 0"),
    "blank before the colon": post(SMUGGLED, b"Content-Length : 0", length(SMUGGLED)),
    "body of a GET": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n\r\n%s" % (length(SMUGGLED), SMUGGLED),
    "no such route": post(SMUGGLED, length(SMUGGLED), path=b"/none"),
    "no such method": post(SMUGGLED, length(SMUGGLED), path=b"/healthz"),
    "another host": post(SMUGGLED, length(SMUGGLED)).replace(b"localhost", b"evil.example", 1),
    "packed": post(SMUGGLED, length(SMUGGLED), b"Content-Encoding: gzip"),
    "no media type of ours": post(SMUGGLED, length(SMUGGLED), b"Content-Type: text/html"),
    "too large": post(SMUGGLED, b"Content-Length: 99999999"),
    "expected": post(SMUGGLED, length(SMUGGLED), b"Expect: 100-continue", path=b"/none"),
    "behind the last": GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") + SMUGGLED,
    "behind 1.0": b"GET /healthz HTTP/1.0\r\n\r\n" + SMUGGLED,
}
