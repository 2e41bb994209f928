# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""Responses for the fuzzing run: correct ones, and mutations of them that a seed determines.

Every response carries the tag of its request, and so does everything that is sent after it or instead of it. A response
with the tag of another request was therefore delivered to the wrong load.
"""

import random

from http2 import BAD, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, OK, RST, frame, length, message

REFUSED_STREAM = 7

# What mutations insert: bytes that mean something to a parser.
TOKENS = [
    b"\r\n", b"\n", b"\r", b"\0", b" ", b"\t", b":", b";", b",", b"\r\n\r\n", b"0\r\n\r\n", b"0x3\r\n",
    b"ffffffffffffffff\r\n",
    b"\r\n\t", b"\r\n ", b"Content-Length: 3\r\n", b"Content-Length: 0\r\n", b"Transfer-Encoding: chunked\r\n",
    b"Connection: close\r\n", b"HTTP/2 200\r\n", b"HTTP/1.0 200\r\n", b"HTTP/1.1 100 Continue\r\n\r\n",
    b"HTTP/1.1 101 Switch\r\n\r\n", b"HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n", b"A" * 5000,
    b"HTTP/1.1 204 None\r\n\r\n", b"HTTP/1.1 408 Request Time-out\r\nConnection: close\r\n\r\n",
]  # fmt: skip


def tag(number):
    """Three times the number, so that a mutation cannot turn one tag into another."""
    return f"<{number}.{number}.{number}>".encode()


def content(number, size):
    text = tag(number)
    return text + b"c" * max(0, size - len(text))


def with_length(number, size, fields=b"X-A: b\r\n"):
    body = content(number, size)
    return b"HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s" % (fields, len(body), body)


def chunks(number, rng):
    body = content(number, rng.randrange(60, 3000))
    result = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    while body:
        count = rng.randrange(1, 700)
        extension = rng.choice([b"", b"", b";a=1", b';a="b c"'])
        result += b"%x%s\r\n%s\r\n" % (len(body[:count]), extension, body[:count])
        body = body[count:]
    return result + b"0\r\n" + rng.choice([b"", b"", b"T: u\r\n", b"T: u\r\nV: w\r\n"]) + b"\r\n"


# Complete responses in HTTP/1.1, of the number of their request and a random generator.
COMPLETE = [
    lambda n, rng: with_length(n, rng.randrange(30, 2000)),
    lambda n, rng: with_length(n, rng.choice([16000, 16384, 20000])),
    lambda n, rng: chunks(n, rng),
    lambda n, rng: with_length(n, 40, b"X-A: b\r\n c\r\n\td\r\nX-E: f\r\n"),
    lambda n, rng: b"HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n" + with_length(n, 40),
    lambda n, rng: b"HTTP/1.1 100 Continue\r\n\r\n" + with_length(n, 40),
    lambda n, rng: b"HTTP/1.1 204 None\r\nX-T: " + tag(n) + b"\r\n\r\n",
    lambda n, rng: b"HTTP/1.1 304 Same\r\nContent-Length: 9\r\nX-T: " + tag(n) + b"\r\n\r\n",
    lambda n, rng: b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 40\r\n\r\n" + content(n, 40),
    lambda n, rng: b"HTTP/1.1 417 No\r\nContent-Length: 40\r\n\r\n" + content(n, 40),
    lambda n, rng: b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-T: " + tag(n) + b"\r\n\r\n",
]

# Without tags in fields: a mutated head can leave one in the table that later heads refer to.
HTTP2_COMPLETE = [
    lambda e, s, n: message(e, s, [OK, length(len(content(n, 300)))], content(n, 300)),
    lambda e, s, n: message(e, s, [OK], content(n, 300), content(n, 100)),
    lambda e, s, n: frame(HEADERS, END_HEADERS | END_STREAM, s, e.encode([OK, ("x-t", "head alone")])),
    lambda e, s, n: frame(HEADERS, END_HEADERS, s, e.encode([(":status", "103")]))
    + message(e, s, [OK], content(n, 99)),
    lambda e, s, n: message(e, s, [OK], content(n, 300), ends=False)
    + frame(HEADERS, END_HEADERS | END_STREAM, s, e.encode([("x-t", "trailer")])),
]


def fold_first_field(answer, rng):
    """Begins the first field line with a blank, as if it continued a field before it."""
    line, _, rest = answer.partition(b"\r\n")
    return line + rng.choice([b"\r\n\t", b"\r\n "]) + b"X: " + b"A" * rng.randrange(4, 200) + b"\r\n" + rest


def mutate(data, rng):
    start = rng.randrange(len(data) + 1)
    end = min(len(data), start + rng.randrange(1, 20))
    kind = rng.randrange(6)
    if kind == 0:
        flipped = bytes(byte ^ (1 << rng.randrange(8)) for byte in data[start : start + 1])
        return data[:start] + flipped + data[start + 1 :]
    if kind == 1:
        return data[:start] + data[end:]
    if kind == 2:
        return data[:end] + data[start:]
    if kind == 3:
        return data[:start] + rng.randbytes(rng.randrange(1, 9)) + data[start:]
    if kind == 4:
        return data[:start]
    # Where the head is, more often than in the content.
    start = min(start, rng.randrange(200))
    return data[:start] + rng.choice(TOKENS) + data[start:]


def answer(number, rng):
    """The bytes sent in HTTP/1.1 for a request."""
    result = rng.choice(COMPLETE)(number, rng)
    if rng.randrange(8) == 0:
        result = fold_first_field(result, rng)
    for _ in range(rng.choice([0, 0, 0, 1, 1, 2, 4])):
        result = mutate(result, rng)
    if rng.randrange(3) == 0:
        result += with_length(number, 50, b"X-Evil: " + tag(number) + b"\r\n")
    return result


def frames(data):
    """The frames of data, as kind, flags, stream and payload; what is too short for a frame is left out."""
    while len(data) >= 9:
        size = int.from_bytes(data[:3], "big")
        yield data[3], data[4], int.from_bytes(data[5:9], "big") & 0x7FFFFFFF, data[9 : 9 + size]
        data = data[9 + size :]


def mutate_frames(data, rng):
    """Changes frames, but neither where they end nor to which stream they belong: what follows them can be read."""
    parts = list(frames(data))
    for _ in range(rng.choice([1, 1, 2])):
        index = rng.randrange(len(parts))
        kind, flags, stream, payload = parts[index]
        choice = rng.randrange(6)
        if choice == 0:
            parts[index] = (rng.randrange(12), flags, stream, payload)
        elif choice == 1:
            parts[index] = (kind, flags ^ (1 << rng.randrange(8)), stream, payload)
        elif choice == 2 and payload:
            place = rng.randrange(len(payload))
            parts[index] = (kind, flags, stream, payload[:place] + rng.randbytes(1) + payload[place + 1 :])
        elif choice == 3:
            parts.insert(index, parts[rng.randrange(len(parts))])
        elif choice == 4 and len(parts) > 1:
            del parts[index]
        else:
            parts.insert(index, (RST, 0, stream, rng.choice([0, 1, 2, REFUSED_STREAM, 8, 11]).to_bytes(4, "big")))
    return b"".join(frame(*part) for part in parts)


def concerns_only(data, stream):
    """Whether the frames belong to a stream or to the connection; one of another stream would be a response there."""
    return all(other in (0, stream) for _, _, other, _ in frames(data))


def http2_answer(number, stream, encoder, rng):
    """The bytes sent in HTTP/2 for a request, whether it was mutated, and whether the connection must end after it.

    Bytes that move the end of a frame change how the next responses are read, so they come only at the end of a
    connection.
    """
    kind = rng.randrange(8)
    if kind < 2:
        return BAD[rng.choice(sorted(BAD))](encoder, stream), False, True
    result = rng.choice(HTTP2_COMPLETE)(encoder, stream, number)
    mutated = mutate(result, rng)
    if kind < 4 and concerns_only(mutated, stream):
        return mutated, True, True
    if kind < 6:
        return mutate_frames(result, rng), True, False
    if rng.randrange(8) == 0:
        last = rng.choice([0, stream - 2, stream, 0x7FFFFFFF])
        result += frame(GOAWAY, 0, 0, max(0, last).to_bytes(4, "big") + rng.choice([0, 1, 11]).to_bytes(4, "big"))
    return result, False, False


def last_stream(data):
    """The last stream that the server processes according to the frames."""
    return min((goaway_limit(payload) for kind, _, _, payload in frames(data) if kind == GOAWAY), default=0x7FFFFFFF)


def goaway_limit(payload):
    return int.from_bytes(payload[:4], "big") & 0x7FFFFFFF if len(payload) >= 8 else 0x7FFFFFFF


def refuses(data, stream):
    """Whether the frames refuse a stream before its response: its request may be sent again."""
    for kind, _, other, payload in frames(data):
        if kind in (HEADERS, DATA) and other == stream:
            return False
        if kind == RST and other == stream:
            return int.from_bytes(payload, "big") == REFUSED_STREAM
        if kind == GOAWAY and goaway_limit(payload) < stream:
            return True
    return False
