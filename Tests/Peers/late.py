# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""An HTTP server on a socket of the file system that sends more than was requested.

Usage: late.py PATH

/calm   responds with "ok"
/slow   does so after 100 ms, so that several connections are needed at the same time
/late   responds, and 100 ms later responds again, with "EVIL"; then adds a line to the file PATH.late
"""

import os
import socket
import sys
import threading
import time

from streams import Plain


def answer(text):
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text)


def serve(path, connection):
    stream = Plain(connection)
    with connection:
        try:
            while True:
                target = stream.read_until(b"\r\n\r\n").split(b" ")[1]
                if target == b"/slow":
                    time.sleep(0.1)
                stream.send(answer(b"ok"))
                if target == b"/late":
                    time.sleep(0.1)
                    stream.send(answer(b"EVIL"))
                    with open(path + ".late", "a") as file:
                        file.write("late\n")
        except (OSError, EOFError):
            # The client has left.
            pass


def main(path):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path + ".new")
    listener.listen(128)
    # Named only after it listens, because the test waits for the name.
    os.rename(path + ".new", path)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(path, connection), daemon=True).start()


main(sys.argv[1])
