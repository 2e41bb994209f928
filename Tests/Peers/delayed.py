# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""A server over TLS whose second connection is ready only after a delay, so that requests wait for it.

Usage: delayed.py PORT_FILE CERTIFICATE KEY CA OPTION_FILE. Listens on a free port of 127.0.0.1, which it writes to
PORT_FILE. OPTION_FILE holds the version of HTTP and the delay in seconds, as in "h2 5".

"h2" is the server of http2.py, with one more path:

/pause  responds, then leaves no room for another request, and three seconds later for a hundred

"http/1.1" responds to each request after a second. The end of the handshake of the second connection comes together
with bytes that were not requested.
"""

import ssl
import struct
import sys
import time

import http2
from streams import Plain, Secure, listen, make_context, publish


class Pausing(http2.Peer):
    def act(self, stream, method, path):
        if path != "/pause":
            return super().act(stream, method, path)
        self.answer(stream, "ok")
        self.flush()
        self.limit(0)
        time.sleep(3)
        self.limit(100)
        return True

    def limit(self, count):
        value = struct.pack(">HI", http2.MAX_CONCURRENT_STREAMS, count)
        self.stream.sendall(http2.frame(http2.SETTINGS, 0, 0, value))


class Eager(Secure):
    """TLS 1.2: the server ends the handshake, so bytes can follow in the same segment."""

    def __init__(self, stream, context):
        Plain.__init__(self, stream.connection)
        self.stream = stream
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=True)
        self.step(self.tls.do_handshake)
        self.send(b"a" * 4096)


def serve_http1(number, context, connection):
    stream = (Eager if number == 1 else Secure)(Plain(connection), context)
    while stream.read_until(b"\r\n\r\n"):
        time.sleep(1)
        stream.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


def serve_http2(number, context, connection):
    with context.wrap_socket(connection, server_side=True) as stream:
        Pausing(number, stream).serve()


def main(port_file, certificate, key, _, option_file):
    with open(option_file) as file:
        version, delay = file.read().split()
    context = make_context(certificate, key, [version])
    if version != "h2":
        context.maximum_version = ssl.TLSVersion.TLSv1_2

    def serve(number, connection):
        if number == 1:
            time.sleep(float(delay))
        try:
            with connection:
                (serve_http2 if version == "h2" else serve_http1)(number, context, connection)
        except (OSError, EOFError):
            # The client has left.
            pass

    publish(port_file, listen(serve))


main(*sys.argv[1:6])
