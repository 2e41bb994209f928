# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""A server over TLS whose response is exactly the content of the request; it then ends the connection.

Usage: tls.py PORT_FILE CERTIFICATE KEY. Listens on a free port of 127.0.0.1, which it writes to PORT_FILE.

POST /announced  ends with close_notify
POST /together   ends with close_notify in the same segment as the end of the response
POST /silent     ends the TCP connection only
"""

import re
import socket
import ssl
import sys

from streams import listen, make_context, publish


def read_answer(stream):
    received = b""
    while b"\r\n\r\n" not in received:
        received += stream.recv(65536)
    head, _, answer = received.partition(b"\r\n\r\n")
    length = int(re.search(rb"(?i)\ncontent-length: *(\d+)", head)[1])
    while len(answer) < length:
        answer += stream.recv(65536)
    return head.split()[1].decode().strip("/"), answer


def announce_end(stream):
    stream.setblocking(False)
    try:
        stream.unwrap()
    except ssl.SSLError:
        # close_notify was sent, and the peer's has not arrived yet.
        pass


def serve(context, connection):
    try:
        with context.wrap_socket(connection, server_side=True) as stream:
            stream.settimeout(30)
            ending, answer = read_answer(stream)
            if ending == "together":
                stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
            if answer:
                stream.sendall(answer)
            if ending != "silent":
                announce_end(stream)
            # No longer over TLS: bytes of the peer must be read, or closing would reset the connection.
            stream.shutdown(socket.SHUT_WR)
            stream.settimeout(30)
            while stream.recv(65536):
                pass
    except (OSError, ValueError, TypeError):
        pass


def main(port_file, certificate, key):
    context = make_context(certificate, key)
    publish(port_file, listen(lambda _, connection: serve(context, connection)))


main(*sys.argv[1:4])
