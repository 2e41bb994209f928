# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""A server that responds to each connection with the code point of differentiated services of its first packet.

Usage: dscp.py PORT_FILE. Listens on a free port of 127.0.0.1, and of ::1 if the system has IPv6. Writes the port to
PORT_FILE, and after it "IPv6" if it listens there.
"""

import os
import select
import socket
import sys

# Linux keeps the header of the first packet for the server.
TCP_SAVE_SYN, TCP_SAVED_SYN = 27, 28


def listen(family, address, port):
    server = socket.socket(family, socket.SOCK_STREAM)
    server.setsockopt(socket.IPPROTO_TCP, TCP_SAVE_SYN, 1)
    server.bind((address, port))
    server.listen()
    return server


def code_point(connection):
    header = connection.getsockopt(socket.IPPROTO_TCP, TCP_SAVED_SYN, 100)
    is_ipv6 = header[0] >> 4 == 6
    byte = (header[0] & 15) << 4 | header[1] >> 4 if is_ipv6 else header[1]
    return byte >> 2


def answer(connection):
    with connection:
        connection.settimeout(30)
        while b"\r\n\r\n" not in connection.recv(65536):
            pass
        content = str(code_point(connection)).encode()
        head = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(content)
        connection.sendall(head + content)


def main(port_file):
    servers = [listen(socket.AF_INET, "127.0.0.1", 0)]
    port = servers[0].getsockname()[1]
    try:
        servers.append(listen(socket.AF_INET6, "::1", port))
    except OSError:
        pass
    with open(port_file + ".new", "w") as file:
        file.write(f"{port}" + (" IPv6" if len(servers) == 2 else ""))
    os.rename(port_file + ".new", port_file)
    while True:
        for server in select.select(servers, [], [])[0]:
            answer(server.accept()[0])


main(sys.argv[1])
