# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""A server over TLS whose contents are long, and which tells how much of them has left it.

Usage: flow.py PORT_FILE CERTIFICATE KEY AUTHORITY OPTION, a file with `h2` or `http/1.1`. Listens on a free port of
127.0.0.1, which it writes to PORT_FILE.

GET /bytes/COUNT    responds with this number of bytes
GET /cut/COUNT      announces twice as many, and closes the connection
GET /stall/COUNT    announces twice as many, and sends no more
GET /rich           responds after 103, in two parts with a pause between, and with a trailer
GET /written        responds with the number of bytes of contents that were written so far
GET /open           responds with the number of requests that are being served, this one included
POST /count         reads the content, and responds with its length and SHA-256
POST /slow          the same, a quarter of a megabyte each tenth of a second
POST /hold          the same, but reads no more than a megabyte before /release
GET /release        lets /hold read on; to be sent on another connection
POST /silent        reads the content, and does not respond
POST /early         responds before it reads the content
POST /some          responds when a part of the content has come
POST /refuse        the first time refuses the request after its first bytes: without a response, or by REFUSED_STREAM
"""

import hashlib
import sys
import threading
import time

import h2.config
import h2.connection
import h2.errors
import h2.events

from streams import listen, make_context, publish

PART = bytes(range(256)) * 64
lock = threading.Lock()
written = 0
opened = 0
refused = False
released = threading.Event()


def note_written(count):
    global written
    with lock:
        written += count


def change_open(count):
    global opened
    with lock:
        opened += count


def refuses():
    global refused
    with lock:
        was, refused = refused, True
        return not was


def answer(path):
    if path == "/release":
        released.set()
    return str(written if path == "/written" else opened).encode()


def pause(kind, total, count):
    """Waits as the kind of an upload says, of which this many bytes have come in all and last."""
    if kind == "slow" and total % (1 << 18) < count:
        time.sleep(0.1)
    if kind == "hold" and total >= 1 << 20:
        released.wait()


def parts(count):
    while count > 0:
        part = PART[:count]
        count -= len(part)
        yield part


class HTTP1:
    """One connection that speaks HTTP/1.1."""

    def __init__(self, stream):
        self.stream, self.buffer = stream, b""

    def fill(self):
        data = self.stream.recv(65536)
        if not data:
            raise EOFError
        self.buffer += data

    def read_until(self, mark):
        while mark not in self.buffer:
            self.fill()
        data, _, self.buffer = self.buffer.partition(mark)
        return data

    def read(self, count):
        while len(self.buffer) < count:
            self.fill()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def serve(self):
        while True:
            head = self.read_until(b"\r\n\r\n").decode().split("\r\n")
            method, path, _ = head[0].split(" ")
            fields = dict(line.lower().split(": ", 1) for line in head[1:])
            change_open(1)
            try:
                self.respond(method, path, fields)
            finally:
                change_open(-1)

    def send(self, *pieces):
        self.stream.sendall(b"".join(pieces))

    def send_whole(self, content, status=b"200 OK"):
        self.send(b"HTTP/1.1 ", status, b"\r\nContent-Length: %d\r\n\r\n" % len(content), content)

    def respond(self, method, path, fields):
        kind, _, count = path[1:].partition("/")
        if kind in ("bytes", "cut", "stall"):
            length = int(count) * (1 if kind == "bytes" else 2)
            self.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % length)
            for part in parts(int(count)):
                self.send(part)
                note_written(len(part))
            if kind == "cut":
                raise EOFError
            if kind == "stall":
                self.fill()
        elif kind == "rich":
            self.send(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n")
            self.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nrich\r\n")
            time.sleep(0.1)
            self.send(b"5\r\n food\r\n0\r\nDigest: abc\r\n\r\n")
        elif method == "GET":
            self.send_whole(answer(path))
        elif kind in ("early", "some"):
            if kind == "some":
                self.fill()
            self.send_whole(kind.encode())
            # A server that closed now would reset the connection, which may cost the client the response.
            while True:
                self.fill()
                self.buffer = b""
        elif kind == "refuse" and refuses():
            self.fill()
            raise EOFError
        elif kind == "silent":
            self.digest(fields, kind)
            self.fill()
        else:
            self.send_whole(self.digest(fields, kind))

    def digest(self, fields, kind):
        total, digest = 0, hashlib.sha256()
        for part in self.content(fields):
            total += len(part)
            digest.update(part)
            pause(kind, total, len(part))
        return b"%d %s" % (total, digest.hexdigest().encode())

    def content(self, fields):
        if fields.get("transfer-encoding") == "chunked":
            while count := int(self.read_until(b"\r\n"), 16):
                yield self.read(count)
                assert self.read(2) == b"\r\n"
            assert self.read(2) == b"\r\n"
        else:
            rest = int(fields.get("content-length", "0"))
            while rest > 0:
                part = self.read(min(rest, 1 << 14))
                rest -= len(part)
                yield part


class HTTP2:
    """One connection that speaks HTTP/2."""

    def __init__(self, stream):
        self.stream = stream
        self.http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.uploads, self.downloads = {}, {}

    def serve(self):
        self.http.initiate_connection()
        while True:
            self.flush()
            data = self.stream.recv(65536)
            if not data:
                raise EOFError
            for event in self.http.receive_data(data):
                self.handle(event)
            self.continue_downloads()

    def flush(self):
        self.stream.sendall(self.http.data_to_send())

    def handle(self, event):
        if isinstance(event, h2.events.RequestReceived):
            change_open(1)
            fields = dict(event.headers)
            self.begin(event.stream_id, fields[":method"], fields[":path"])
        elif isinstance(event, h2.events.DataReceived):
            self.take(event)
        elif isinstance(event, h2.events.StreamEnded) and event.stream_id in self.uploads:
            total, digest, kind = self.uploads.pop(event.stream_id)
            if kind == "silent":
                return
            self.send_whole(event.stream_id, b"%d %s" % (total, digest.hexdigest().encode()))
        elif isinstance(event, h2.events.StreamReset):
            if self.uploads.pop(event.stream_id, None):
                change_open(-1)
            if self.downloads.pop(event.stream_id, None):
                change_open(-1)

    def begin(self, stream, method, path):
        kind, _, count = path[1:].partition("/")
        if kind in ("bytes", "cut", "stall"):
            self.http.send_headers(stream, [(":status", "200"), ("content-length", str(
                int(count) * (1 if kind == "bytes" else 2)))])
            self.downloads[stream] = [int(count), kind, int(count)]
        elif kind == "rich":
            self.http.send_headers(stream, [(":status", "103"), ("link", "</style.css>")])
            self.http.send_headers(stream, [(":status", "200")])
            self.http.send_data(stream, b"rich")
            self.flush()
            time.sleep(0.1)
            self.http.send_data(stream, b" food")
            self.http.send_headers(stream, [("digest", "abc")], end_stream=True)
            change_open(-1)
        elif method == "GET":
            self.send_whole(stream, answer(path))
        elif kind == "early":
            self.send_whole(stream, b"early")
        elif kind == "some" or kind == "refuse" and refuses():
            self.uploads[stream] = kind
        else:
            self.uploads[stream] = [0, hashlib.sha256(), kind]

    def take(self, event):
        self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        if event.stream_id not in self.uploads:
            return
        upload = self.uploads[event.stream_id]
        if upload == "some":
            del self.uploads[event.stream_id]
            return self.send_whole(event.stream_id, b"some")
        if upload == "refuse":
            del self.uploads[event.stream_id]
            self.http.reset_stream(event.stream_id, h2.errors.ErrorCodes.REFUSED_STREAM)
            return change_open(-1)
        upload[0] += len(event.data)
        upload[1].update(event.data)
        pause(upload[2], upload[0], len(event.data))

    def send_whole(self, stream, content):
        self.http.send_headers(stream, [(":status", "200")])
        self.http.send_data(stream, content, end_stream=True)
        change_open(-1)

    def continue_downloads(self):
        for stream, (count, kind, _) in list(self.downloads.items()):
            window = min(self.http.local_flow_control_window(stream), self.http.max_outbound_frame_size)
            while count > 0 and window > 0:
                start = (self.downloads[stream][2] - count) % 256
                part = PART[start:start + min(count, window, len(PART) - 256)]
                count -= len(part)
                self.http.send_data(stream, part, end_stream=count == 0 and kind == "bytes")
                note_written(len(part))
                self.flush()
                window = min(self.http.local_flow_control_window(stream), self.http.max_outbound_frame_size)
            self.downloads[stream][0] = count
            if count > 0:
                continue
            if kind == "cut":
                raise EOFError
            if kind == "stall":
                continue
            if self.downloads[stream][2] == 0:
                self.http.send_data(stream, b"", end_stream=True)
            del self.downloads[stream]
            change_open(-1)


def serve(context, connection):
    try:
        with context.wrap_socket(connection, server_side=True) as stream:
            (HTTP2 if stream.selected_alpn_protocol() == "h2" else HTTP1)(stream).serve()
    except (OSError, EOFError):
        pass


def main(port_file, certificate, key, _, option):
    context = make_context(certificate, key, [open(option).read()])
    publish(port_file, listen(lambda _, connection: serve(context, connection), receive_buffer=1 << 18))


if __name__ == "__main__":
    main(*sys.argv[1:6])
