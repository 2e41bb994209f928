# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""A server over TLS that speaks another version of HTTP on each connection, and breaks off requests with content.

Usage: versions.py PORT_FILE CERTIFICATE KEY CA OPTION_FILE. Listens on a free port of 127.0.0.1, which it writes to
PORT_FILE. OPTION_FILE holds a word for each connection, and begins again behind the last one:

VERSION/ENDING/DELAY   VERSION is `http1` or `http2`; DELAY are the milliseconds before its handshake. A GET is always
                       served, with the number of complete requests with content. ENDING is what happens to a request
                       with content: `serve`   responds, once it is complete, with the bytes of its content as they were
                       received, in
                                 hexadecimal digits; on HTTP/1.1 with the framing
                       `close`   closes the connection once the head has arrived
                       `part`    closes it once some content has arrived, too
                       `unprocessed`  (HTTP/2) does not process it: GOAWAY 0
                       `refuse`  (HTTP/2) resets its stream: REFUSED_STREAM, and serves the next one
"""

import sys
import time

import h2.config
import h2.connection
import h2.errors
import h2.events

from streams import Plain, Secure, listen, make_context, publish

# The contents of all complete requests.
complete = []


class HTTP1:
    def __init__(self, stream, ending):
        self.stream, self.ending = stream, ending

    def serve(self):
        while True:
            head = self.stream.read_until(b"\r\n\r\n").decode("latin-1")
            if head.startswith("GET "):
                self.respond(str(len(complete)))
            elif self.ending == "serve":
                complete.append(self.content(head))
                self.respond(complete[-1].hex())
            else:
                if self.ending == "part":
                    self.stream.read(1)
                return

    def respond(self, text):
        self.stream.send(f"HTTP/1.1 200 OK\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())

    def content(self, head):
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:])
        if "content-length" in fields:
            return self.stream.read(int(fields["content-length"]))
        # As a server frames it: a request that smuggles another one ends where its content says so.
        content = size = b""
        while size != b"0":
            size = self.stream.read_until(b"\r\n")
            content += size + b"\r\n" + self.stream.read(int(size, 16) + 2)
        return content


class HTTP2:
    def __init__(self, stream, ending):
        self.stream, self.ending = stream, ending
        self.http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.methods, self.contents = {}, {}

    def flush(self):
        self.stream.send(self.http.data_to_send())

    def serve(self):
        self.http.initiate_connection()
        self.flush()
        while data := self.stream.receive():
            for event in self.http.receive_data(data):
                if self.take(event):
                    return
            self.flush()

    def take(self, event):
        """Returns whether the connection ends."""
        if isinstance(event, h2.events.RequestReceived):
            self.methods[event.stream_id] = dict(event.headers)[":method"]
            self.contents[event.stream_id] = b""
            return self.methods[event.stream_id] != "GET" and self.end(event.stream_id)
        if isinstance(event, h2.events.DataReceived) and event.stream_id in self.contents:
            self.contents[event.stream_id] += event.data
            self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            return self.ending == "part"
        if isinstance(event, h2.events.StreamEnded) and event.stream_id in self.contents:
            self.respond(event.stream_id)
        return False

    def end(self, stream):
        if self.ending == "unprocessed":
            self.http.close_connection(last_stream_id=0)
            self.flush()
            # The client reads the frame before the end of the connection.
            time.sleep(0.2)
        elif self.ending == "refuse":
            self.ending = "serve"
            del self.contents[stream]
            self.http.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
        return self.ending in ("close", "unprocessed")

    def respond(self, stream):
        if self.methods[stream] == "GET":
            text = str(len(complete))
        else:
            complete.append(self.contents[stream])
            text = complete[-1].hex()
        self.http.send_headers(stream, [(":status", "200")])
        self.http.send_data(stream, text.encode(), end_stream=True)


def main(port_file, certificate, key, _, option_file):
    with open(option_file) as file:
        words = [word.split("/") for word in file.read().split()]

    def serve(number, connection):
        version, ending, delay = words[number % len(words)]
        time.sleep(int(delay) / 1000)
        protocol = "h2" if version == "http2" else "http/1.1"
        try:
            stream = Secure(Plain(connection), make_context(certificate, key, [protocol]))
            (HTTP2 if version == "http2" else HTTP1)(stream, ending).serve()
        except (OSError, EOFError, ValueError):
            pass
        connection.close()

    publish(port_file, listen(serve))


main(*sys.argv[1:])
