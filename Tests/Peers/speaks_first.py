# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""A server over TLS 1.2 that sends a response together with the end of the handshake, before it has a request.

Usage: speaks_first.py PORT_FILE CERTIFICATE KEY CA COUNT_FILE. Listens on a free port of 127.0.0.1, which it writes to
PORT_FILE. COUNT_FILE holds the number of connections on which it speaks first. It then responds to each request with
the method and the target.
"""

import ssl
import sys

from streams import Plain, Secure, listen, make_context, publish

EARLY = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly"


class SpeaksFirst(Secure):
    def __init__(self, stream, context, early):
        Plain.__init__(self, stream.connection)
        self.stream = stream
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=True)
        self.step(self.tls.do_handshake)
        self.send(early)


def main(port_file, certificate, key, _, count_file):
    with open(count_file) as file:
        count = int(file.read())

    def serve(number, connection):
        # Of its own, so that no session is resumed: the client would then send the last message of the handshake.
        context = make_context(certificate, key)
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        try:
            stream = SpeaksFirst(Plain(connection), context, EARLY if number < count else b"")
            while True:
                head = stream.read_until(b"\r\n\r\n").decode("latin-1")
                if "content-length: 7" in head.lower():
                    stream.read(7)
                text = " ".join(head.split(" ", 2)[:2])
                stream.send(f"HTTP/1.1 200 OK\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())
        except (OSError, EOFError):
            pass
        connection.close()

    publish(port_file, listen(serve))


main(*sys.argv[1:])
