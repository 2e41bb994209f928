# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""A server that poisons its connections: every response has the nonce of its request, and bytes that follow it have
another one. So has every response to a request that follows such bytes.

Usage: nonces.py PORTS_FILE CERTIFICATE KEY CA OPTION. Listens on two free ports of 127.0.0.1, for TCP and for TLS,
which it writes to PORTS_FILE. The target of a request is /KIND/NONCE, with a kind of KINDS.
"""

import re
import sys

from streams import Plain, Secure, listen, make_context, publish

EVIL = b"evil"


def response(nonce, fields=b""):
    return b"HTTP/1.1 200 OK\r\nX-Nonce: %s\r\n%sContent-Length: %d\r\n\r\n%s" % (nonce, fields, len(nonce), nonce)


def chunked(nonce):
    head = b"HTTP/1.1 200 OK\r\nX-Nonce: %s\r\nTransfer-Encoding: chunked\r\n\r\n" % nonce
    return head + b"%x\r\n%s\r\n0\r\nX-Nonce: %s\r\n\r\n" % (len(nonce), nonce, nonce)


# The pieces that are sent, each in a record of its own with TLS, and whether the connection is closed afterwards.
KINDS = {
    "clean": lambda nonce: ([response(nonce)], False),
    "chunked": lambda nonce: ([chunked(nonce)], False),
    "hinted": lambda nonce: ([b"HTTP/1.1 103 Hints\r\nX-Nonce: %s\r\n\r\n" % nonce, response(nonce)], False),
    "excess": lambda nonce: ([response(nonce) + b"\r\n"], False),
    "second": lambda nonce: ([response(nonce) + response(EVIL)], False),
    "record": lambda nonce: ([response(nonce), response(EVIL)], False),
    "chunks": lambda nonce: ([chunked(nonce) + chunked(EVIL)], False),
    "partial": lambda nonce: ([response(nonce), response(EVIL)[:20]], False),
    "hint": lambda nonce: ([response(nonce), b"HTTP/1.1 100 Continue\r\n\r\n"], False),
    "both": lambda nonce: (
        [response(nonce, b"Transfer-Encoding: chunked\r\n") + b"\r\n0\r\n\r\n" + response(EVIL)], False
    ),
    "lengths": lambda nonce: ([response(nonce, b"Content-Length: 0\r\n") + response(EVIL)], False),
    "head": lambda nonce: ([response(nonce)[:30]], True),
    "content": lambda nonce: ([response(nonce)[:-1]], True),
    "ended": lambda nonce: ([response(nonce)], True),
    "silent": lambda nonce: ([], True),
}  # fmt: skip


# The kinds after which the connection must not be used again: a further request on it gets the wrong nonce.
POISONING = {"excess", "second", "record", "chunks", "partial", "hint", "both", "lengths"}


def serve(stream):
    is_poisoned = False
    while True:
        head = stream.read_until(b"\r\n\r\n")
        _, kind, nonce = re.match(rb"([A-Z]+) /([a-z]+)/(\w+) ", head).groups()
        nonce = EVIL if is_poisoned else nonce
        size = int(re.search(rb"(?i)\ncontent-length: *(\d+)|$", head)[1] or 0)
        if kind == b"early":
            # The content is read after its response, and resembles a request.
            stream.send(response(nonce))
            stream.read(size)
            continue
        stream.read(size)
        pieces, is_last = KINDS[kind.decode()](nonce)
        is_poisoned = is_poisoned or kind.decode() in POISONING
        stream.send(*pieces)
        if is_last:
            return


def guard(connection, context):
    connection.settimeout(60)
    with connection:
        try:
            serve(Secure(Plain(connection), context) if context else Plain(connection))
        except (OSError, EOFError):
            # The client has left.
            pass


def main(ports_file, certificate, key, *_):
    context = make_context(certificate, key)
    publish(
        ports_file,
        listen(lambda _, connection: guard(connection, None)),
        listen(lambda _, connection: guard(connection, context)),
    )


main(*sys.argv[1:])
