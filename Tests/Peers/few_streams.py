# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""An HTTP/2 server over TLS that allows few streams, and refuses all others from the first moment on.

Usage: few_streams.py PORT_FILE CERTIFICATE KEY CA OPTION_FILE. Listens on a free port of 127.0.0.1, which it writes to
PORT_FILE. OPTION_FILE holds words:

limit=N      allows N streams; limits that are separated by commas belong to its connections in turn
handshake=N  begins the TLS handshake of each connection after the first one N milliseconds late
delay=N      sends its SETTINGS and each response N milliseconds late
listen       sends its SETTINGS only when the client has sent something
raise=N/M    allows N streams M milliseconds after the first SETTINGS
leave        closes each connection behind its SETTINGS
hold         gives back no room of its windows
cut=N        closes its first N connections when the second request comes
demand=KIND  demands HTTP/1.1 (HTTP_1_1_REQUIRED) of each request: by `reset` of its stream, or by `goaway`; on a
             connection that offers only HTTP/1.1, it responds

It responds with "ok"; to /counts with the number of connections, of those on which a client has begun to speak HTTP/2,
of requests that it has processed and of those that it has refused.
"""

import heapq
import itertools
import sys
import threading
import time

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings
from hyperframe.frame import GoAwayFrame

from streams import listen, make_context, publish

counts = {"connections": 0, "begun": 0, "processed": 0, "refused": 0}
lock = threading.Lock()
numbers = itertools.count()


def count(name):
    with lock:
        counts[name] += 1
        return counts[name]


class Connection:
    def __init__(self, stream, limit, options, number):
        self.stream, self.limit, self.options = stream, limit, options
        self.is_cut = number < int(options.get("cut", 0))
        self.requests = 0
        self.has_begun = False
        # What came before the SETTINGS were sent.
        self.early = b""
        self.delay = int(options.get("delay", 0)) / 1000
        self.http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        # What the client may have begun before it knows.
        self.http.local_settings = h2.settings.Settings(client=False, initial_values={
            h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: 1 << 20})
        self.open = set()
        # What is done later: when, in which order, and what.
        self.due = []

    def later(self, seconds, action):
        heapq.heappush(self.due, (time.monotonic() + seconds, next(numbers), action))

    def flush(self):
        self.stream.sendall(self.http.data_to_send())

    def settings(self, limit):
        # Past h2, which would end the connection of a client that does not know the limit yet.
        self.limit = limit
        self.stream.sendall(bytes([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3]) + limit.to_bytes(4, "big"))

    def serve(self):
        if "listen" in self.options:
            self.early = self.stream.recv(65536)
        time.sleep(self.delay)
        self.http.initiate_connection()
        self.http.clear_outbound_data_buffer()
        self.settings(self.limit)
        if "leave" in self.options:
            return time.sleep(0.05)
        if "raise" in self.options:
            limit, pause = map(int, self.options["raise"].split("/"))
            self.later(pause / 1000, lambda: self.settings(limit))
        while self.receive():
            self.flush()

    def receive(self):
        """Returns whether the connection goes on."""
        while self.due and self.due[0][0] <= time.monotonic():
            heapq.heappop(self.due)[2]()
        self.flush()
        self.stream.settimeout(max(0.001, self.due[0][0] - time.monotonic()) if self.due else None)
        try:
            data, self.early = self.early or self.stream.recv(65536), b""
        except TimeoutError:
            return True
        self.stream.settimeout(None)
        if data and not self.has_begun:
            self.has_begun = True
            count("begun")
        for event in self.http.receive_data(data):
            self.take(event)
        return bool(data) and not (self.is_cut and self.requests > 1)

    def take(self, event):
        if isinstance(event, h2.events.RequestReceived):
            stream, path = event.stream_id, dict(event.headers)[":path"]
            self.requests += 1
            demand = self.options.get("demand")
            if demand == "reset":
                self.refuse(stream, h2.errors.ErrorCodes.HTTP_1_1_REQUIRED)
            elif demand == "goaway":
                self.flush()
                count("refused")
                self.stream.sendall(GoAwayFrame(0, last_stream_id=0, error_code=13).serialize())
            elif len(self.open) >= self.limit and path != "/counts":
                self.refuse(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
            else:
                self.open.add(stream)
                self.later(self.delay, lambda: self.respond(stream, path))
        elif isinstance(event, h2.events.DataReceived) and "hold" not in self.options:
            self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)

    def refuse(self, stream, code):
        count("refused")
        self.http.reset_stream(stream, code)

    def respond(self, stream, path):
        self.open.discard(stream)
        text = "ok"
        if path == "/counts":
            text = " ".join(map(str, counts.values()))
        else:
            count("processed")
        try:
            self.http.send_headers(stream, [(":status", "200")])
            self.http.send_data(stream, text.encode(), end_stream=True)
        except h2.exceptions.ProtocolError:
            # The client has reset the stream.
            pass


def serve_http1(stream):
    buffer = b""
    while data := stream.recv(65536):
        buffer += data
        while b"\r\n\r\n" in buffer:
            head, _, buffer = buffer.partition(b"\r\n\r\n")
            length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
            rest = int(length[0].split(b":")[1]) if length else 0
            while len(buffer) < rest:
                buffer += stream.recv(65536)
            buffer = buffer[rest:]
            text = "ok 1.1"
            if head.split(b" ")[1] == b"/counts":
                text = " ".join(map(str, counts.values()))
            else:
                count("processed")
            stream.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())


def main(port_file, certificate, key, _, option_file):
    with open(option_file) as file:
        options = dict((word.split("=") + [""])[:2] for word in file.read().split())
    limits = [int(limit) for limit in options.get("limit", "100").split(",")]
    context = make_context(certificate, key, ["h2", "http/1.1"])

    def serve(_, connection):
        number = count("connections") - 1
        if number > 0:
            time.sleep(int(options.get("handshake", 0)) / 1000)
        try:
            with context.wrap_socket(connection, server_side=True) as stream:
                if stream.selected_alpn_protocol() == "h2":
                    Connection(stream, limits[number % len(limits)], options, number).serve()
                else:
                    serve_http1(stream)
        except (OSError, EOFError, h2.exceptions.ProtocolError):
            pass

    publish(port_file, listen(serve))


main(*sys.argv[1:])
