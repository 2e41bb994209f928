# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""A server over TLS whose first handshakes fail.

Usage: handshake.py PORT_FILE CERTIFICATE KEY CA OPTION_FILE. Listens on a free port of 127.0.0.1, which it writes to
PORT_FILE. OPTION_FILE holds a kind of failure and the number of connections that fail so; later ones are served:

close      closes the connection immediately
reset      resets it immediately
closelate  closes it when the first message of the client has arrived
resetlate  resets it then
cut        closes it behind the first bytes of its own first message
plain      responds without TLS
version    allows no version of TLS that the client offers
identity   demands a client certificate, over TLS 1.3
identity2  the same, over TLS 1.2
"""

import socket
import ssl
import struct
import sys

from streams import listen, make_context, publish


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def fail(kind, connection, files):
    certificate, key, authority = files
    if kind.endswith("late") or kind in ("cut", "plain"):
        connection.recv(65536)
    if kind.startswith("reset"):
        reset(connection)
    elif kind == "cut":
        # A record of the handshake with more bytes than follow.
        connection.sendall(bytes([22, 3, 3, 0, 122, 2, 0, 0, 118, 3, 3]))
    elif kind == "plain":
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
    elif kind == "version":
        context = make_context(certificate, key)
        context.maximum_version = context.minimum_version = ssl.TLSVersion.TLSv1_1
        context.set_ciphers("DEFAULT:@SECLEVEL=0")
        context.wrap_socket(connection, server_side=True)
    elif kind.startswith("identity"):
        context = make_context(certificate, key)
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(authority)
        if kind == "identity2":
            context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.wrap_socket(connection, server_side=True)


def main(port_file, certificate, key, authority, option_file):
    with open(option_file) as file:
        kind, count = file.read().split()
    context = make_context(certificate, key)

    def serve(number, connection):
        try:
            if number < int(count):
                return fail(kind, connection, (certificate, key, authority))
            with context.wrap_socket(connection, server_side=True) as stream:
                while b"\r\n\r\n" not in stream.recv(65536):
                    pass
                stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        except (OSError, EOFError):
            pass
        finally:
            connection.close()

    publish(port_file, listen(serve))


main(*sys.argv[1:])
