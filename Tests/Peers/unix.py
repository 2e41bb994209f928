# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""An HTTP server on a socket in the file system, which responds with the Host of the request.

Usage: unix.py PATH
"""

import http.server
import os
import socketserver
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def address_string(self):
        return "local"

    def do_GET(self):
        content = self.headers["Host"].encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


path = sys.argv[1]
server = Server(path + ".new", Handler)
# Named only after it listens, because the test waits for the name.
os.rename(path + ".new", path)
server.serve_forever()
