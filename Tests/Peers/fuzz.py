# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""The server of the fuzzing run: correct responses, and responses that a seed mutates, on connections that stay open.

Usage: fuzz.py PORTS_FILE CERTIFICATE KEY CA SEED_FILE. Listens on three free ports of 127.0.0.1, which it writes to
PORTS_FILE: HTTP/1.1, HTTP/1.1 over TLS, HTTP/2 over TLS. The first is a proxy, too, whose tunnels end in the second.

/NUMBER          the response that the seed and the number determine; see fuzz_answers.py
/calm/NUMBER     a correct response
/doubles         the numbers of POSTs that arrived twice, though they were not refused
"""

import collections
import random
import re
import socket
import sys
import threading
import time

import hpack

from fuzz_answers import answer, content, fold_first_field, http2_answer, last_stream, mutate, refuses, with_length
from http2 import ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, OK, PING, SETTINGS, WINDOW
from http2 import frame, length, message
from streams import Plain, Secure, listen, make_context, publish

PREFACE_LENGTH = 24
# How long a spoiled connection stays open, in seconds: the client may be waiting for the rest of what was announced.
PATIENCE = 0.1
# The number of requests after which an HTTP/2 connection is closed: mutated responses leave streams open.
REQUESTS_PER_CONNECTION = 60

lock = threading.Lock()
posts = collections.Counter()
# The history of each POST, for the diagnosis of one that has arrived twice.
stories = collections.defaultdict(list)


def note(number, method, story, count=1):
    with lock:
        if method == "POST":
            posts[number] += count
            stories[number].append(story[:500])


def doubles():
    with lock:
        return "\n".join(f"{number}: {stories[number]}" for number, count in posts.items() if count > 1)


def parse_path(path):
    """The number in a path, and whether a correct response is requested; the path may be a whole URL."""
    match = re.search(r"/(calm/)?(\d+)$", path)
    return (int(match[2]), bool(match[1])) if match else (None, True)


class HTTP1:
    def __init__(self, stream, server):
        self.stream = stream
        self.server = server

    def serve(self):
        while self.serve_request():
            pass

    def serve_request(self):
        head = self.stream.read_until(b"\r\n\r\n").decode("latin-1")
        method, path, _ = head.split("\r\n")[0].split(" ")
        if method == "CONNECT":
            return self.tunnel()
        number, is_calm = parse_path(path)
        rng = random.Random(f"{self.server.seed}:{number}:{'Expect:' in head}")
        expects = "expect: 100-continue" in head.lower()
        if expects and (is_calm or rng.randrange(2)):
            self.stream.send(b"HTTP/1.1 100 Continue\r\n\r\n")
            expects = False
        size = re.search(r"(?i)\ncontent-length: *(\d+)", head)
        if size and not expects:
            self.stream.read(int(size[1]))
        if number is None:
            self.stream.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(doubles()), doubles().encode()))
            return True
        data = with_length(number, 40) if is_calm else answer(number, rng)
        note(number, method, f"{type(self.stream).__name__} {id(self)}, expecting {expects}: {data!r}")
        if is_calm:
            self.stream.send(data)
            return True
        if expects and b" 417" in data:
            # It asks for the request once more, without the expectation.
            note(number, method, "expectation refused", -1)
        self.stream.send(data)
        return self.end(rng, expects)

    def end(self, rng, has_unread_content):
        """Waits for the next request for a moment, or ends the connection in one of several ways."""
        if rng.randrange(6) == 0 or has_unread_content:
            if rng.randrange(2):
                self.stream.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            return False
        self.stream.connection.settimeout(PATIENCE)
        if not self.stream.buffer:
            self.stream.fill()
        self.stream.connection.settimeout(30)
        return True

    def tunnel(self):
        rng = random.Random(f"{self.server.seed}:tunnel:{self.server.next_tunnel()}")
        data = b"HTTP/1.1 200 Established\r\nX-A: b\r\n\r\n"
        if rng.randrange(4) == 0:
            data = rng.choice([fold_first_field, mutate])(data, rng)
            self.stream.connection.settimeout(PATIENCE)
        self.stream.send(data)
        HTTP1(Secure(self.stream, self.server.http1_context), self.server).serve()
        return False


class HTTP2:
    def __init__(self, stream, server):
        self.stream = stream
        self.server = server
        self.encoder, self.decoder = hpack.Encoder(), hpack.Decoder()
        # Without a table, a mutated head cannot change what the next one means.
        self.encoder.header_table_size = 0
        self.block = b""
        # The requests without a response, by stream: method and path.
        self.waiting = {}
        # The last stream that the server processes, once it has sent GOAWAY.
        self.last_stream = 0x7FFFFFFF
        self.must_end = False
        # The requests that were processed, number and method. After a mutated response it is not known what the client
        # must conclude about them: a head that it cannot read is no response, and a GOAWAY after it lets it send the
        # request again.
        self.seen = []
        self.is_mutated = False

    def serve(self):
        self.stream.read(PREFACE_LENGTH)
        self.stream.send(frame(SETTINGS, 0, 0))
        count = 0
        while count < REQUESTS_PER_CONNECTION and not self.must_end:
            header = self.stream.read(9)
            size, kind, flags = int.from_bytes(header[:3], "big"), header[3], header[4]
            stream = int.from_bytes(header[5:], "big") & 0x7FFFFFFF
            self.take(kind, flags, stream, self.stream.read(size))
            if kind in (HEADERS, DATA) and flags & END_STREAM:
                count += 1
                if stream <= self.last_stream:
                    self.act(stream, *self.waiting[stream])
        if not self.must_end:
            # The requests under way were not processed, and are sent again.
            self.stream.send(frame(GOAWAY, 0, 0, stream.to_bytes(4, "big") + bytes(4)))
            self.stream.connection.shutdown(socket.SHUT_WR)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.stream.connection.recv(65536):
            pass

    def take(self, kind, flags, stream, payload):
        if kind == SETTINGS and not flags & ACK:
            self.stream.send(frame(SETTINGS, ACK, 0))
        elif kind == PING and not flags & ACK:
            self.stream.send(frame(PING, ACK, 0, payload))
        elif kind == DATA and payload:
            self.stream.send(frame(WINDOW, 0, 0, len(payload).to_bytes(4, "big")))
        elif kind in (HEADERS, CONTINUATION):
            self.block += payload[5:] if flags & 0x20 else payload
            if flags & END_HEADERS:
                fields = dict(self.decoder.decode(self.block))
                self.block = b""
                self.waiting[stream] = (fields[":method"], fields[":path"])

    def act(self, stream, method, path):
        number, is_calm = parse_path(path)
        if is_calm:
            text = content(number, 40)
            data = message(self.encoder, stream, [OK, length(len(text))], text)
        else:
            rng = random.Random(f"{self.server.seed}:{number}")
            data, is_mutated, self.must_end = http2_answer(number, stream, self.encoder, rng)
            self.is_mutated = self.is_mutated or is_mutated
            # The client may wait for more of it, or for room on the connection.
            self.stream.connection.settimeout(PATIENCE)
        note(number, method, f"HTTP/2 {id(self)}, stream {stream} of {sorted(self.waiting)}: {data!r}")
        if refuses(data, stream):
            note(number, method, "refused", -1)
        else:
            self.seen.append((number, method))
        if self.is_mutated:
            self.forgive()
        self.last_stream = min(self.last_stream, last_stream(data))
        del self.waiting[stream]
        self.stream.send(data)

    def forgive(self):
        """Notes that the processed requests may be sent again."""
        for number, method in self.seen:
            note(number, method, "on a connection with mutated answers", -1)
        self.seen = []


class Server:
    def __init__(self, certificate, key, seed):
        self.seed = seed
        self.http1_context = make_context(certificate, key, ["http/1.1"])
        self.http2_context = make_context(certificate, key, ["h2"])
        self.tunnels = 0

    def next_tunnel(self):
        with lock:
            self.tunnels += 1
            return self.tunnels

    def listen(self, serve):
        return listen(lambda _, connection: self.guard(serve, connection))

    @staticmethod
    def guard(serve, connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(30)
        with connection:
            try:
                serve(connection)
            except (OSError, EOFError, ValueError, KeyError, hpack.HPACKError):
                # The client has left, which it may at any time.
                pass


def main(ports_file, certificate, key, _, seed_file):
    with open(seed_file) as file:
        server = Server(certificate, key, file.read())
    publish(
        ports_file,
        server.listen(lambda connection: HTTP1(Plain(connection), server).serve()),
        server.listen(lambda connection: HTTP1(Secure(Plain(connection), server.http1_context), server).serve()),
        server.listen(lambda connection: HTTP2(Secure(Plain(connection), server.http2_context), server).serve()),
    )


main(*sys.argv[1:6])
