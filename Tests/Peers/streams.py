# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""Shared by the servers: a port to listen on, and connections that send given bytes together."""

import os
import socket
import ssl
import threading


def listen(serve, receive_buffer=None):
    """Listens on a free port of 127.0.0.1 and returns the port.

    Each connection is served, with its number, on a thread of its own. Its receive buffer has the given size in bytes,
    or the one that the system chooses, which can be tens of megabytes.
    """
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    if receive_buffer:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)

    def accept():
        number = 0
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(number, connection), daemon=True).start()
            number += 1

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


def publish(ports_file, *ports):
    """Writes the ports to a file, and serves until the process is ended."""
    with open(ports_file + ".new", "w") as file:
        file.write(" ".join(str(port) for port in ports))
    os.rename(ports_file + ".new", ports_file)
    threading.Event().wait()


def make_context(certificate, key, protocols=()):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    if protocols:
        context.set_alpn_protocols(protocols)
    return context


class Plain:
    """A TCP connection."""

    def __init__(self, connection):
        self.connection = connection
        self.buffer = b""

    def receive(self):
        return self.connection.recv(65536)

    def send(self, *pieces):
        self.connection.sendall(b"".join(pieces))

    def read(self, count):
        while len(self.buffer) < count:
            self.fill()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def read_until(self, mark):
        while mark not in self.buffer:
            self.fill()
        data, _, self.buffer = self.buffer.partition(mark)
        return data

    def fill(self):
        data = self.receive()
        if not data:
            raise EOFError
        self.buffer += data


class Secure(Plain):
    """TLS over another stream. All records of one call of `send` leave together, so that none of them can be late."""

    def __init__(self, stream, context):
        super().__init__(stream.connection)
        self.stream = stream
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=True)
        self.step(self.tls.do_handshake)
        self.stream.send(self.outgoing.read())

    def step(self, action):
        while True:
            try:
                return action()
            except ssl.SSLWantReadError:
                self.flush()
                data = self.stream.receive()
                if not data:
                    raise EOFError
                self.incoming.write(data)

    def receive(self):
        return self.step(lambda: self.tls.read(65536))

    def send(self, *pieces):
        """Each piece begins a record of its own."""
        for piece in pieces:
            if piece:
                self.tls.write(piece)
        self.flush()

    def flush(self):
        data = self.outgoing.read()
        if data:
            self.stream.send(data)
