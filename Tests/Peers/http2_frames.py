# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""An HTTP/2 server over TLS that responds with the content of the request as frames, whether HTTP/2 allows them or not.

Usage: http2_frames.py PORT_FILE CERTIFICATE KEY. Listens on a free port of 127.0.0.1, which it writes to PORT_FILE.

/frames/CASE     sends the content behind the SETTINGS that begin a connection, and keeps the connection
/first/CASE      sends the content alone
/close/CASE      like /frames, and ends the connection behind the content
/flood/CASE      like /frames; the content begins with a line that says how often its second part is sent, and the
                 lengths of its parts: COUNT LENGTH LENGTH LENGTH
/log/CASE        responds with the client's frames on the connection of a case since then, one on each line
/other           responds with "ok"
"""

import socket
import sys

import hpack
import hyperframe.exceptions
from hyperframe.frame import DataFrame, Frame, GoAwayFrame, HeadersFrame, PingFrame, RstStreamFrame, SettingsFrame

from streams import listen, make_context, publish

BEGINNING = SettingsFrame().serialize() + SettingsFrame(flags=["ACK"]).serialize()
# The number of bytes of a flood that are sent together.
PIECE = 1 << 18

# The client's frames by the name of a case.
logs = {}


def describe(frame):
    if isinstance(frame, RstStreamFrame):
        return f"RST_STREAM {frame.error_code}"
    if isinstance(frame, GoAwayFrame):
        return f"GOAWAY {frame.error_code}"
    if isinstance(frame, (PingFrame, SettingsFrame)) and "ACK" in frame.flags:
        return "PING" if isinstance(frame, PingFrame) else "SETTINGS"
    return None


class Peer:
    def __init__(self, stream):
        self.stream = stream
        self.input = stream.makefile("rb")
        self.decoder = hpack.Decoder()
        self.begins = True
        self.log = []
        self.requests = {}

    def serve(self):
        try:
            self.read(24)
            while True:
                self.take(self.receive())
        except (OSError, EOFError, hyperframe.exceptions.HyperframeError):
            self.log.append("END")

    def read(self, count):
        data = self.input.read(count)
        if len(data) < count:
            raise EOFError
        return data

    def receive(self):
        frame, length = Frame.parse_frame_header(memoryview(self.read(9)))
        frame.parse_body(memoryview(self.read(length)))
        return frame

    def take(self, frame):
        text = describe(frame)
        # The first acknowledgement is that of the beginning.
        if text and not (text == "SETTINGS" and self.begins is False and self.note_acknowledged()):
            self.log.append(text)
        if isinstance(frame, HeadersFrame):
            self.requests[frame.stream_id] = (dict(self.decoder.decode(frame.data))[":path"], bytearray())
        elif isinstance(frame, DataFrame):
            self.requests[frame.stream_id][1].extend(frame.data)
        if isinstance(frame, (HeadersFrame, DataFrame)) and "END_STREAM" in frame.flags:
            self.act(frame.stream_id, *self.requests.pop(frame.stream_id))

    def note_acknowledged(self):
        self.begins = None
        return True

    def begin(self):
        if self.begins:
            self.begins = False
            return BEGINNING
        return b""

    def act(self, stream, path, content):
        kind, _, case = path.strip("/").partition("/")
        if kind in ("frames", "first", "close", "flood"):
            logs[case] = self.log
            start = b"" if kind == "first" else self.begin()
            self.begins = self.begins and kind != "first"
            if kind == "flood":
                return self.flood(start, bytes(content))
            self.stream.sendall(start + content)
            if kind == "close":
                self.stream.shutdown(socket.SHUT_WR)
        else:
            text = "\n".join(logs.get(case, [])) if kind == "log" else "ok"
            self.answer(stream, text.encode())

    def flood(self, start, content):
        line, _, rest = content.partition(b"\n")
        count, *lengths = map(int, line.split())
        parts = [rest[sum(lengths[:index]) :][:length] for index, length in enumerate(lengths)]
        self.stream.sendall(start + parts[0])
        times = max(1, min(count, PIECE // max(1, len(parts[1]))))
        for _ in range(count // times):
            self.stream.sendall(parts[1] * times)
        self.stream.sendall(parts[2])

    def answer(self, stream, content):
        frames = [HeadersFrame(stream, b"\x88", flags=["END_HEADERS"])]
        frames.append(DataFrame(stream, content, flags=["END_STREAM"]))
        self.stream.sendall(self.begin() + b"".join(frame.serialize() for frame in frames))


def serve(context, connection):
    try:
        with context.wrap_socket(connection, server_side=True) as stream:
            Peer(stream).serve()
    except OSError:
        pass


def main(port_file, certificate, key):
    context = make_context(certificate, key, ["h2"])
    publish(port_file, listen(lambda _, connection: serve(context, connection)))


main(*sys.argv[1:4])
