# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""A server over TLS that responds to each request with the content of that request, byte by byte.

Usage: kept.py PORT_FILE CERTIFICATE KEY CA VERSION_FILE. Listens on a free port of 127.0.0.1, which it writes to
PORT_FILE. VERSION_FILE holds the highest version of TLS, as in "TLSv1_2".

The connection is kept. The server is an HTTPS proxy, too: requests with a whole URL get the same responses, and a
tunnel ends in a second layer of TLS. Where the content holds the line RECORD, a new record of TLS begins; all of
them leave together. After the line PAUSE, the rest is sent half a second later.
"""

import re
import ssl
import sys
import time

from streams import Plain, Secure, listen, make_context, publish

RECORD = b"\n-- record --\n"
PAUSE = b"\n-- pause --\n"


def serve(stream, context):
    while True:
        head = stream.read_until(b"\r\n\r\n").decode("latin-1")
        if head.startswith("CONNECT "):
            stream.send(b"HTTP/1.1 200 Established\r\n\r\n")
            return serve(Secure(stream, context), context)
        size = re.search(r"(?i)\ncontent-length: *(\d+)", head)
        start, *rest = stream.read(int(size[1])).split(PAUSE)
        stream.send(*start.split(RECORD))
        for part in rest:
            time.sleep(0.5)
            stream.send(*part.split(RECORD))


def guard(context, connection):
    connection.settimeout(30)
    with connection:
        try:
            serve(Secure(Plain(connection), context), context)
        except (OSError, EOFError):
            # The client has left.
            pass


def main(port_file, certificate, key, _, version_file):
    context = make_context(certificate, key)
    with open(version_file) as file:
        context.maximum_version = ssl.TLSVersion[file.read()]
    publish(port_file, listen(lambda _, connection: guard(context, connection)))


main(*sys.argv[1:6])
