# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""An HTTP/2 server over TLS for many parallel requests, which does not process all of them immediately.

Usage: http2_load.py PORT_FILE CERTIFICATE KEY. Listens on a free port of 127.0.0.1, which it writes to PORT_FILE.

/refuse/...   processes nine of ten requests, and resets the streams of the others with REFUSED_STREAM, those of one
              path three times at most: a client gives up after some refusals
/goaway/...   after 50 requests of a connection, sends GOAWAY with the middle one of those that have arrived together
/limit/...    allows one stream, then three, then a hundred, and so on: another number after 40 requests each
/limit-N/...  allows N streams
/log          responds with one line for each request that was processed: method and path
/violations   responds with one line for each stream above an acknowledged limit
/refused      responds with one line for each stream that was refused
/excluded     responds with one line for each stream that GOAWAY excluded
"""

import collections
import socket
import sys
import threading

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
from h2.settings import SettingCodes
from hyperframe.frame import GoAwayFrame

from streams import listen, make_context, publish

LIMITS = (1, 3, 100)

lock = threading.Lock()
log, violations, refused, excluded = [], [], [], []
counts = {"requests": 0}
refusals = collections.Counter()


class Peer:
    def __init__(self, stream):
        self.stream = stream
        config = h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        self.http = h2.connection.H2Connection(config)
        self.requests = {}
        # The requests that have arrived together, whole.
        self.batch = []
        self.open = set()
        # The limit that the client has acknowledged, and the number of SETTINGS that it has not.
        self.limit, self.pending = None, 1
        self.served = 0

    def flush(self):
        self.stream.sendall(self.http.data_to_send())

    def serve(self):
        self.http.initiate_connection()
        self.flush()
        while data := self.stream.recv(65536):
            for event in self.http.receive_data(data):
                self.take(event)
            self.act()
            self.flush()

    def take(self, event):
        if isinstance(event, h2.events.RequestReceived):
            headers = dict(event.headers)
            self.requests[event.stream_id] = (headers[":method"], headers[":path"])
            self.open.add(event.stream_id)
            if self.limit is not None and len(self.open) > self.limit:
                violations.append(f"{len(self.open)} streams above {self.limit}")
        elif isinstance(event, h2.events.DataReceived):
            self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.SettingsAcknowledged):
            self.pending -= 1
            change = event.changed_settings.get(SettingCodes.MAX_CONCURRENT_STREAMS)
            self.limit = change.new_value if change else self.limit
        if isinstance(event, h2.events.StreamEnded):
            self.batch.append((event.stream_id, *self.requests[event.stream_id]))

    def act(self):
        batch, self.batch = sorted(self.batch), []
        if batch and batch[0][2].startswith("/goaway") and self.served + len(batch) > 50:
            return self.leave(batch)
        for stream, method, path in batch:
            self.answer(stream, method, path)

    def leave(self, batch):
        last = batch[len(batch) // 2][0]
        self.stream.sendall(self.http.data_to_send() + GoAwayFrame(0, last_stream_id=last).serialize())
        for stream, method, path in batch:
            if stream <= last:
                self.answer(stream, method, path)
            else:
                excluded.append(path)
        self.flush()
        self.stream.settimeout(30)
        while self.stream.recv(65536):
            pass
        raise EOFError

    def answer(self, stream, method, path):
        self.open.discard(stream)
        self.served += 1
        kind = path.split("/")[1]
        if kind == "refuse" and self.is_refused(path):
            return self.refuse(stream)
        if kind.startswith("limit"):
            self.change_limit(kind)
        if kind not in ("log", "violations", "refused", "excluded"):
            log.append(f"{method} {path}")
        texts = {"log": log, "violations": violations, "refused": refused, "excluded": excluded}
        content = "\n".join(texts.get(kind, ["ok"])).encode()
        self.http.send_headers(stream, [(":status", "200"), ("content-length", str(len(content)))])
        if method != "HEAD":
            for start in range(0, len(content), 16384):
                self.http.send_data(stream, content[start : start + 16384])
        self.http.end_stream(stream)

    def is_refused(self, path):
        with lock:
            counts["requests"] += 1
            if counts["requests"] % 10 != 0 or refusals[path] == 3:
                return False
            refusals[path] += 1
            return True

    def refuse(self, stream):
        refused.append(str(stream))
        self.http.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)

    def change_limit(self, kind):
        _, _, fixed = kind.partition("-")
        limit = int(fixed) if fixed else LIMITS[self.served // 40 % len(LIMITS)]
        # One after the other: h2 does not know which SETTINGS are acknowledged.
        if self.pending == 0 and limit != self.limit:
            self.pending = 1
            self.http.update_settings({SettingCodes.MAX_CONCURRENT_STREAMS: limit})


def serve(context, connection):
    try:
        with context.wrap_socket(connection, server_side=True) as stream:
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            Peer(stream).serve()
    except (OSError, EOFError):
        pass
    except h2.exceptions.ProtocolError as error:
        violations.append(repr(error))


def main(port_file, certificate, key):
    context = make_context(certificate, key, ["h2"])
    publish(port_file, listen(lambda _, connection: serve(context, connection)))


main(*sys.argv[1:4])
