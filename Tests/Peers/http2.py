# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""An HTTP/2 server over TLS that misbehaves as the path of a request says.

Usage: http2.py PORT_FILE CERTIFICATE KEY. Listens on a free port of 127.0.0.1, which it writes to PORT_FILE.

/ok              answers 200
/refuse-once     resets the stream with REFUSED_STREAM the first time, then answers
/refuse          resets every time
/goaway-once     the first time says that it will not look at the stream (GOAWAY below it), and closes
/goaway          says so every time
/goaway-seen     says that it has seen the stream (GOAWAY with it), and closes
/calm            GOAWAY with ENHANCE_YOUR_CALM for the stream, and closes
/die, /abort     closes the connection without a word: properly, or with RST
/reset/CODE      resets the stream with an error code
/log             answers with one line for each request that was looked at: connection, method, path
"""

import os
import socket
import ssl
import struct
import sys
import threading

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions

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

    def flush(self):
        self.stream.sendall(self.http.data_to_send())

    def serve(self):
        self.http.initiate_connection()
        self.flush()
        while data := self.stream.recv(65536):
            for event in self.http.receive_data(data):
                if not self.take(event):
                    return
            self.flush()

    def take(self, event):
        if isinstance(event, h2.events.RequestReceived):
            headers = dict(event.headers)
            self.requests[event.stream_id] = (headers[":method"], headers[":path"])
        elif isinstance(event, h2.events.DataReceived):
            self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        if isinstance(event, h2.events.StreamEnded):
            return self.act(event.stream_id, *self.requests.pop(event.stream_id))
        return True

    def act(self, stream, method, path):
        kind, _, rest = path.lstrip("/").split("?")[0].partition("/")
        if kind == "refuse" or kind == "refuse-once" and is_first(path):
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
        if kind == "die":
            return False
        if kind == "abort":
            self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return False
        if kind == "reset":
            self.http.reset_stream(stream, int(rest))
            return True
        self.answer(stream, "\n".join(log[:-1]) if kind == "log" else "ok")
        return True

    def answer(self, stream, text):
        content = text.encode()
        self.http.send_headers(stream, [(":status", "200"), ("content-length", str(len(content)))])
        for start in range(0, len(content), 16384):
            self.http.send_data(stream, content[start : start + 16384])
        self.http.end_stream(stream)

    def leave(self, code, last_stream):
        self.http.close_connection(code, last_stream_id=last_stream)
        self.flush()
        return False


def serve(number, context, connection):
    try:
        with context.wrap_socket(connection, server_side=True) as stream:
            Peer(number, stream).serve()
    except (OSError, h2.exceptions.H2Error):
        pass


def main(port_file, certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    with open(port_file + ".new", "w") as file:
        file.write(str(listener.getsockname()[1]))
    os.rename(port_file + ".new", port_file)
    number = 0
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(number, context, connection), daemon=True).start()
        number += 1


main(*sys.argv[1:4])
