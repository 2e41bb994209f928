# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""An HTTP/2 server over TLS that misbehaves as the path of a request demands.

Usage: http2.py PORT_FILE CERTIFICATE KEY. Listens on a free port of 127.0.0.1, which it writes to PORT_FILE.

/ok              responds with 200
/refuse-once     resets the stream with REFUSED_STREAM the first time, then responds
/refuse          resets every time
/refuse-die      resets the stream with REFUSED_STREAM the first time, then reads the request and closes the connection
/goaway-once     the first time does not process the stream (GOAWAY below it), and closes
/goaway          the same every time
/goaway-seen     has seen the stream (GOAWAY with it), and closes
/calm            GOAWAY with ENHANCE_YOUR_CALM for the stream, and closes
/die, /abort     closes the connection without a word: properly, or with RST
/reset/CODE      resets the stream with an error code
/bad/NAME        responds with frames that no server may send; see BAD
/flood/NAME      responds after 100,000 frames; see FLOODS
/silent          stops reading, and keeps the connection
/stuffed         grants large windows, reads no content, and breaks the protocol when /break is requested
/break           responds with 200
/late            responds after three seconds, and acknowledges each PING meanwhile
/full            responds, then leaves no room for another request, and a second later for a hundred
/updates         responds, and updates both windows after each 4 KiB of the request's content
/trailers/COUNT  responds with this number of trailers of 1,000 bytes
/fields          responds with one line for each field of the request: name, value
/log             responds with one line for each request that was processed: connection, method, path
"""

import socket
import ssl
import struct
import sys
import threading
import time

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions

from streams import listen, make_context, publish

DATA, HEADERS, PRIORITY, RST, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = range(10)
ACK, END_STREAM, END_HEADERS, PADDED = 1, 1, 4, 8
MAX_CONCURRENT_STREAMS, MAX_FRAME_SIZE = 3, 5
OK = (":status", "200")


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def message(encoder, stream, fields, *contents, ends=True):
    """A response with these fields and pieces of content, whether HTTP/2 allows it or not."""
    result = frame(HEADERS, END_HEADERS, stream, encoder.encode(fields))
    for content in contents:
        result += frame(DATA, 0, stream, content)
    return result + (frame(DATA, END_STREAM, stream) if ends else b"")


def length(count):
    return ("content-length", str(count))


# The bytes for /bad/NAME, made from an encoder and a stream. The connection is closed afterwards, so nothing can hang.
BAD = {
    "cut-with-length": lambda e, s: message(e, s, [OK, length(9)], b"abc", ends=False),
    "cut": lambda e, s: message(e, s, [OK], b"abc", ends=False),
    "cut-headers": lambda e, s: frame(HEADERS, 0, s, e.encode([OK])),
    "cut-frame": lambda e, s: message(e, s, [OK], b"abc", ends=False) + frame(DATA, END_STREAM, s, b"abcdef")[:-2],
    "short": lambda e, s: message(e, s, [OK, length(9)], b"abc"),
    "long": lambda e, s: message(e, s, [OK, length(3)], b"abcde"),
    "two-lengths": lambda e, s: message(e, s, [OK, length(3), length(5)], b"abc"),
    "odd-length": lambda e, s: message(e, s, [OK, length("3abc")], b"abc"),
    "reset": lambda e, s: message(e, s, [OK], b"abc", ends=False) + frame(RST, 0, s, struct.pack(">I", 2)),
    "reset-cancel": lambda e, s: message(e, s, [OK], b"abc", ends=False) + frame(RST, 0, s, struct.pack(">I", 8)),
    "reset-without-error": lambda e, s: message(e, s, [OK], b"abc", ends=False) + frame(RST, 0, s, bytes(4)),
    "no-status": lambda e, s: message(e, s, [("a", "b")], b"abc"),
    "two-statuses": lambda e, s: message(e, s, [OK, OK], b"abc"),
    "late-status": lambda e, s: message(e, s, [("a", "b"), OK], b"abc"),
    "upper-case": lambda e, s: message(e, s, [OK, ("X-Upper", "b")], b"abc"),
    "line-feed": lambda e, s: message(e, s, [OK, ("a", "b\r\nc: d")], b"abc"),
    "nul": lambda e, s: message(e, s, [OK, ("a", "b\0c")], b"abc"),
    "connection": lambda e, s: message(e, s, [OK, ("connection", "close")], b"abc"),
    "chunked": lambda e, s: message(e, s, [OK, ("transfer-encoding", "chunked")], b"3\r\nabc\r\n0\r\n\r\n"),
    "unknown-pseudo": lambda e, s: message(e, s, [OK, (":path", "/")], b"abc"),
    "content-first": lambda e, s: frame(DATA, END_STREAM, s, b"abc"),
    "content-of-none": lambda e, s: frame(DATA, END_STREAM, 0, b"abc"),
    "padding": lambda e, s: message(e, s, [OK], ends=False) + frame(DATA, END_STREAM | PADDED, s, b"\xffabc"),
    "large-frame": lambda e, s: message(e, s, [OK], b"a" * 100_000),
    "large-frame-with-length": lambda e, s: message(e, s, [OK, length(100_000)], b"a" * 100_000),
    "unpacked": lambda e, s: frame(HEADERS, END_HEADERS, s, b"\xff" * 50),
    "settings": lambda e, s: frame(SETTINGS, 0, 0, b"abc"),
    "window": lambda e, s: frame(WINDOW, 0, 0, bytes(4)),
    "push": lambda e, s: frame(PUSH, END_HEADERS, s, struct.pack(">I", 2) + e.encode([(":path", "/")])),
    "continuation": lambda e, s: frame(CONTINUATION, END_HEADERS, s, e.encode([OK])),
    "switch": lambda e, s: message(e, s, [(":status", "101")], b"abc"),
    "never-asked": lambda e, s: message(e, s + 100, [OK], b"abc"),
    "http1": lambda e, s: b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
    "http1-timeout": lambda e, s: b"HTTP/1.1 408 Request Time-out\r\nConnection: close\r\n\r\n",
    "random": lambda e, s: bytes(number * 167 % 256 for number in range(1, 200)),
    "long-frame": lambda e, s: frame(DATA, 0, s, b"a" * 20_000),
    "settings-value": lambda e, s: frame(SETTINGS, 0, 0, struct.pack(">HI", MAX_FRAME_SIZE, 1)),
    "idle-content": lambda e, s: frame(DATA, 0, s + 100, b"abc"),
    "padding-alone": lambda e, s: frame(DATA, END_STREAM | PADDED, s, b"\xffabc"),
    "window-overflow": lambda e, s: frame(WINDOW, 0, 0, b"\x7f\xff\xff\xff") * 2,
    "refused-late": lambda e, s: frame(HEADERS, END_HEADERS, s, e.encode([OK])) + frame(RST, 0, s, bytes([0, 0, 0, 7])),
    "refused-after-hints": lambda e, s: frame(HEADERS, END_HEADERS, s, e.encode([(":status", "103")]))
    + frame(RST, 0, s, bytes([0, 0, 0, 7])),
    "unseen-late": lambda e, s: frame(HEADERS, END_HEADERS, s, e.encode([OK])) + frame(GOAWAY, 0, 0, bytes(8)),
}

# For /flood/NAME: whether a complete head comes first, and the frame that is sent repeatedly.
FLOODS = {
    "data": (True, lambda s: frame(DATA, 0, s)),
    "ping": (True, lambda s: frame(PING, 0, 0, bytes(8))),
    "settings": (True, lambda s: frame(SETTINGS, 0, 0)),
    "priority": (True, lambda s: frame(PRIORITY, 0, s, bytes(4) + b"a")),
    "window": (True, lambda s: frame(WINDOW, 0, s, struct.pack(">I", 1))),
    "unknown": (True, lambda s: frame(0xFA, 0, s)),
    "reset": (True, lambda s: frame(RST, 0, s + 2, bytes(4))),
    "continuation": (False, lambda s: frame(CONTINUATION, 0, s)),
    "hints": (False, lambda s: frame(HEADERS, END_HEADERS, s, b"\x08\x03103")),
}

BREAK = threading.Event()

lock = threading.Lock()
log = []
seen = set()


def is_first(path):
    with lock:
        known = path in seen
        seen.add(path)
        return not known


class Peer:
    def __init__(self, number, stream):
        self.number = number
        self.stream = stream
        config = h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        self.http = h2.connection.H2Connection(config)
        self.requests = {}
        # The stream to respond to late, and when.
        self.late = None

    def flush(self):
        self.stream.sendall(self.http.data_to_send())

    def serve(self):
        self.http.initiate_connection()
        self.flush()
        while data := self.receive():
            for event in self.http.receive_data(data):
                if not self.take(event):
                    return
            self.flush()

    def receive(self):
        while self.late:
            stream, due = self.late
            if time.monotonic() >= due:
                self.late = None
                self.answer(stream, "ok")
                self.flush()
                break
            self.stream.settimeout(0.1)
            try:
                return self.stream.recv(65536)
            except TimeoutError:
                continue
        self.stream.settimeout(None)
        return self.stream.recv(65536)

    def take(self, event):
        if isinstance(event, h2.events.RequestReceived):
            headers = dict(event.headers)
            self.fields = event.headers
            self.requests[event.stream_id] = (headers[":method"], headers[":path"])
            if headers[":path"] == "/stuffed":
                return self.stop_reading(event.stream_id)
        elif isinstance(event, h2.events.DataReceived):
            self.open_windows(event.stream_id, event.flow_controlled_length)
        if isinstance(event, h2.events.StreamEnded):
            return self.act(event.stream_id, *self.requests.pop(event.stream_id))
        return True

    def stop_reading(self, stream):
        window = b"".join(frame(WINDOW, 0, number, struct.pack(">I", 0x7FFF0000)) for number in (0, stream))
        self.stream.sendall(window)
        BREAK.wait(60)
        # nghttp2 reports no SETTINGS of a wrong size.
        self.stream.sendall(BAD["settings"](None, stream))
        time.sleep(60)
        return False

    def open_windows(self, stream, count):
        if self.requests[stream][1] != "/updates":
            return self.http.acknowledge_received_data(count, stream)
        for start in range(0, count, 4096):
            part = min(4096, count - start)
            self.http.increment_flow_control_window(part)
            self.http.increment_flow_control_window(part, stream)

    def act(self, stream, method, path):
        kind, _, rest = path.lstrip("/").split("?")[0].partition("/")
        if kind == "refuse" or kind in ("refuse-once", "refuse-die") and is_first(path):
            self.http.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
            return True
        if kind == "goaway" or kind == "goaway-once" and is_first(path):
            return self.leave(h2.errors.ErrorCodes.NO_ERROR, stream - 2 if stream > 2 else 0)
        with lock:
            log.append(f"{self.number} {method} {path}")
        if kind == "goaway-seen":
            return self.leave(h2.errors.ErrorCodes.NO_ERROR, stream)
        if kind == "calm":
            return self.leave(h2.errors.ErrorCodes.ENHANCE_YOUR_CALM, stream)
        if kind in ("die", "refuse-die"):
            return False
        if kind == "abort":
            self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return False
        if kind == "reset":
            self.http.reset_stream(stream, int(rest))
            return True
        if kind == "silent":
            time.sleep(60)
            return False
        if kind == "late":
            self.late = (stream, time.monotonic() + 3)
            return True
        if kind == "bad":
            return self.send_last(BAD[rest](self.http.encoder, stream))
        if kind == "flood":
            return self.flood(stream, *FLOODS[rest])
        if kind == "trailers":
            self.trail(stream, int(rest))
            return True
        if kind == "fields":
            self.answer(stream, "\n".join(f"{name} {value}" for name, value in self.fields))
            return True
        if kind == "break":
            BREAK.set()
        self.answer(stream, "\n".join(log[:-1]) if kind == "log" else "ok")
        if kind == "full":
            self.flush()
            for count in (0, 100):
                self.stream.sendall(frame(SETTINGS, 0, 0, struct.pack(">HI", MAX_CONCURRENT_STREAMS, count)))
                time.sleep(1)
        return True

    def answer(self, stream, text):
        content = text.encode()
        self.http.send_headers(stream, [(":status", "200"), ("content-length", str(len(content)))])
        for start in range(0, len(content), 16384):
            self.http.send_data(stream, content[start : start + 16384])
        self.http.end_stream(stream)

    def flood(self, stream, begins, make):
        encode = self.http.encoder.encode
        start = message(self.http.encoder, stream, [OK, length(2)], ends=False) if begins else b""
        is_continued = make(stream)[3] == CONTINUATION
        if is_continued:
            start = frame(HEADERS, 0, stream, encode([OK]))
        start += make(stream) * 100_000
        ending = frame(DATA, END_STREAM, stream, b"ok")
        if not begins:
            fields = b"" if is_continued else encode([OK])
            ending = frame(CONTINUATION if is_continued else HEADERS, END_HEADERS, stream, fields) + ending
        return self.send_last(start + ending)

    def send_last(self, data):
        """Sends data and ends the connection, but still reads: unread bytes would reset it, and data would be lost."""
        self.stream.settimeout(30)
        self.stream.sendall(data)
        self.stream.shutdown(socket.SHUT_WR)
        while self.stream.recv(65536):
            pass
        return False

    def trail(self, stream, count):
        self.http.send_headers(stream, [OK])
        self.http.send_data(stream, b"ok")
        self.http.send_headers(stream, [(f"x-{number}", "v" * 995) for number in range(count)], end_stream=True)

    def leave(self, code, last_stream):
        self.http.close_connection(code, last_stream_id=last_stream)
        return self.send_last(self.http.data_to_send())


def serve(number, context, connection):
    try:
        with context.wrap_socket(connection, server_side=True) as stream:
            Peer(number, stream).serve()
    except (OSError, h2.exceptions.H2Error):
        pass


def main(port_file, certificate, key):
    context = make_context(certificate, key, ["h2"])
    publish(port_file, listen(lambda number, connection: serve(number, context, connection)))


if __name__ == "__main__":
    main(*sys.argv[1:4])
