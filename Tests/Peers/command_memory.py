# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0
"""Runs a command against a server of large content, and prints its greatest memory.

Usage: command_memory.py BYTES SHELL-COMMAND, in which URL stands for the server. GET has as many bytes; any other
method is read to its end. The output is a line of JSON: status, kibibytes (of the largest program), received.
"""
import json
import resource
import socketserver
import subprocess
import sys
import threading

SIZE = int(sys.argv[1])
PIECE = b"\x07" * 65536
received = [0]


class Handler(socketserver.StreamRequestHandler):
    def fields(self):
        result = {}
        while (line := self.rfile.readline().strip()):
            name, _, value = line.partition(b":")
            result[name.lower()] = value.strip()
        return result

    def take(self, count):
        while count > 0:
            piece = self.rfile.read(min(count, len(PIECE)))
            if not piece:
                raise ConnectionError
            received[0] += len(piece)
            count -= len(piece)

    def take_chunks(self):
        while (count := int(self.rfile.readline().split(b";")[0], 16)):
            self.take(count)
            self.rfile.readline()
        self.rfile.readline()

    def handle(self):
        line = self.rfile.readline()
        fields = self.fields()
        if line.startswith(b"GET"):
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % SIZE)
            for _ in range(SIZE // len(PIECE)):
                self.wfile.write(PIECE)
            return
        if b"content-length" in fields:
            self.take(int(fields[b"content-length"]))
        else:
            self.take_chunks()
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


with Server(("127.0.0.1", 0), Handler) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    command = sys.argv[2].replace("URL", "http://127.0.0.1:%d/" % server.server_address[1])
    run = subprocess.run(["/bin/sh", "-c", command])
    kibibytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(json.dumps({"status": run.returncode, "kibibytes": kibibytes, "received": received[0]}))
