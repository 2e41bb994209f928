# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""Gives responses to h11 and to httptools (llhttp), and writes the results of both.

Usage: parsers.py RESPONSES RESULTS. RESPONSES has for each response its method in one byte, G or H (HEAD), its length
in four bytes, and its bytes, after which the connection ends. RESULTS is a JSON array with a pair of results for each;
bytes are Latin-1 there. httptools cannot be told the method, so it has no result for HEAD.
"""

import json
import sys

import h11
import httptools

COMPLETE, INCOMPLETE = "complete", "incomplete"


class Result:
    def __init__(self):
        self.verdict = INCOMPLETE
        self.version = ""
        self.status = 0
        self.informational = []
        self.fields = []
        self.content = b""
        self.trailers = []
        self.excess = 0
        self.persists = False

    def begin(self, version, status, fields):
        if status < 200:
            self.informational.append(status)
        else:
            self.version, self.status, self.fields = version, status, fields

    def encode(self):
        return {**self.__dict__, "content": self.content.decode("latin-1")}


def pairs(headers):
    return [[name.decode("latin-1").lower(), value.decode("latin-1")] for name, value in headers]


class H11:
    def __init__(self, method):
        self.result = Result()
        self.has_ended = False
        # The limit of h11 is not what is compared.
        self.connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=1 << 20)
        self.connection.send(h11.Request(method=method, target="/", headers=[("Host", "a.test")]))
        self.connection.send(h11.EndOfMessage())

    def take(self):
        """Takes events until the response is complete or more bytes are needed."""
        while self.result.verdict != COMPLETE:
            event = self.connection.next_event()
            if event in (h11.NEED_DATA, h11.PAUSED) or isinstance(event, h11.ConnectionClosed):
                return
            self.note(event)

    def note(self, event):
        result = self.result
        if isinstance(event, (h11.InformationalResponse, h11.Response)):
            result.begin(event.http_version.decode(), event.status_code, pairs(event.headers))
        elif isinstance(event, h11.Data):
            result.content += event.data
        else:
            result.verdict = COMPLETE
            result.trailers = pairs(event.headers)
            result.excess = len(self.connection.trailing_data[0])
            result.persists = not self.has_ended and self.connection.their_state is h11.DONE

    def read(self, data):
        try:
            self.connection.receive_data(data)
            self.take()
        except h11.RemoteProtocolError as error:
            self.result.verdict = str(error).partition(":")[0]
            return self.result
        try:
            self.has_ended = True
            self.connection.receive_data(b"")
            self.take()
        except h11.RemoteProtocolError:
            # The end of the connection is not the end of the response.
            pass
        return self.result


class Httptools:
    def __init__(self):
        self.result = Result()
        self.parser = httptools.HttpResponseParser(self)
        self.fields = []
        self.codings = []
        self.is_in_body = False

    def on_message_begin(self):
        if self.result.verdict != COMPLETE:
            self.fields, self.codings = [], []

    def on_header(self, name, value):
        # llhttp leaves the white space behind a value to its user.
        self.fields.append((name, value.rstrip(b" \t")))
        if name.lower() == b"transfer-encoding":
            self.codings.append(value.lower().rstrip(b" "))

    def on_headers_complete(self):
        if self.result.verdict == COMPLETE:
            return
        status = self.parser.get_status_code()
        self.result.begin(self.parser.get_http_version(), status, pairs(self.fields))
        self.fields = []
        self.is_in_body = status >= 200

    def on_body(self, data):
        if self.result.verdict != COMPLETE:
            self.result.content += data

    def on_message_complete(self):
        if self.is_in_body and self.result.verdict != COMPLETE:
            self.result.verdict = COMPLETE
            self.result.trailers = pairs(self.fields)
            self.result.persists = self.parser.should_keep_alive()

    def ends_with_connection(self):
        """llhttp has a function for this, httptools does not."""
        if self.codings:
            return not self.codings[-1].endswith(b"chunked")
        return all(name != "content-length" for name, _ in self.result.fields)

    def read(self, data):
        try:
            self.parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            # What follows a complete response is not compared.
            if self.result.verdict != COMPLETE:
                self.result.verdict = str(error) if isinstance(error, httptools.HttpParserError) else "upgrade"
        if self.result.verdict == INCOMPLETE and self.is_in_body and self.ends_with_connection():
            self.result.verdict = COMPLETE
        return self.result


def responses(data):
    start = 0
    while start < len(data):
        end = start + 5 + int.from_bytes(data[start + 1 : start + 5], "big")
        yield data[start : start + 1] == b"H", data[start + 5 : end]
        start = end


def compare(is_head, data):
    first = H11("HEAD" if is_head else "GET").read(data).encode()
    return [first, None if is_head else Httptools().read(data).encode()]


def main(responses_file, results_file):
    with open(responses_file, "rb") as file:
        results = [compare(*response) for response in responses(file.read())]
    with open(results_file, "w") as file:
        json.dump(results, file)


main(*sys.argv[1:3])
