# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""A server over TLS 1.3 that floods a connection with messages of TLS itself, by OpenSSL's own functions.

Usage: tls_messages.py PORT_FILE CERTIFICATE KEY. Listens on a free port of 127.0.0.1, which it writes to PORT_FILE.

/MESSAGE/COUNT        sends that many messages without a response: `update` (KeyUpdate), `question` (KeyUpdate that
                      asks for one), `ticket` (NewSessionTicket). They are made beforehand, and sent as fast as the
                      connection takes them. Then responds with "behind".
/kept/MESSAGE/COUNT   responds with "before", and sends the messages then
/ok                   responds with "ok"
"""

import ctypes
import socket
import sys

from streams import Plain, listen, publish

library = ctypes.CDLL("libssl.so.3")
pointer, number = ctypes.c_void_p, ctypes.c_int


def function(name, result, *arguments):
    found = getattr(library, name)
    found.restype, found.argtypes = result, arguments
    return found


method = function("TLS_server_method", pointer)
new_context = function("SSL_CTX_new", pointer, pointer)
use_certificate = function("SSL_CTX_use_certificate_chain_file", number, pointer, ctypes.c_char_p)
use_key = function("SSL_CTX_use_PrivateKey_file", number, pointer, ctypes.c_char_p, number)
new_connection = function("SSL_new", pointer, pointer)
free_connection = function("SSL_free", None, pointer)
set_accepting = function("SSL_set_accept_state", None, pointer)
set_buffers = function("SSL_set_bio", None, pointer, pointer, pointer)
handshake = function("SSL_do_handshake", number, pointer)
read = function("SSL_read", number, pointer, pointer, number)
write = function("SSL_write", number, pointer, ctypes.c_char_p, number)
error = function("SSL_get_error", number, pointer, number)
update_keys = function("SSL_key_update", number, pointer, number)
send_ticket = function("SSL_new_session_ticket", number, pointer)
memory = function("BIO_s_mem", pointer)
new_buffer = function("BIO_new", pointer, pointer)
take = function("BIO_read", number, pointer, pointer, number)
put = function("BIO_write", number, pointer, ctypes.c_char_p, number)

PEM = 1
WANT_READ = 2
MESSAGES = {
    "update": lambda ssl: update_keys(ssl, 0),
    "question": lambda ssl: update_keys(ssl, 1),
    "ticket": send_ticket,
}


class Secure(Plain):
    """TLS on a TCP connection. What is sent is collected until `flush`."""

    def __init__(self, context, connection):
        super().__init__(connection)
        self.incoming, self.outgoing = new_buffer(memory()), new_buffer(memory())
        self.ssl = new_connection(context)
        set_accepting(self.ssl)
        set_buffers(self.ssl, self.incoming, self.outgoing)
        self.space = ctypes.create_string_buffer(65536)
        self.step(lambda: handshake(self.ssl))
        self.flush()

    def step(self, action):
        while True:
            result = action()
            if result > 0:
                return result
            if error(self.ssl, result) != WANT_READ:
                raise EOFError
            self.flush()
            data = self.connection.recv(65536)
            if not data:
                raise EOFError
            put(self.incoming, data, len(data))

    def receive(self):
        count = self.step(lambda: read(self.ssl, self.space, len(self.space)))
        return self.space.raw[:count]

    def add(self, data):
        write(self.ssl, data, len(data))

    def add_messages(self, kind, count):
        for _ in range(count):
            MESSAGES[kind](self.ssl)
            handshake(self.ssl)

    def flush(self):
        parts = []
        while (count := take(self.outgoing, self.space, len(self.space))) > 0:
            parts.append(self.space.raw[:count])
        self.connection.sendall(b"".join(parts))


def respond(stream, text):
    stream.add(f"HTTP/1.1 200 OK\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())


def serve(stream):
    while True:
        head = stream.read_until(b"\r\n\r\n").decode("latin-1")
        words = head.split()[1].strip("/").split("/")
        if words == ["ok"]:
            respond(stream, "ok")
        elif words[0] == "kept":
            respond(stream, "before")
            stream.flush()
            stream.add_messages(words[1], int(words[2]))
        else:
            stream.add_messages(words[0], int(words[1]))
            respond(stream, "behind")
        stream.flush()


def guard(context, connection):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with connection:
        try:
            serve(Secure(context, connection))
        except (OSError, EOFError):
            # The client has left.
            pass


def main(port_file, certificate, key):
    context = new_context(method())
    if use_certificate(context, certificate.encode()) != 1 or use_key(context, key.encode(), PEM) != 1:
        raise SystemExit("the certificate cannot be used")
    publish(port_file, listen(lambda _, connection: guard(context, connection)))


main(*sys.argv[1:4])
