# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""A SOCKS 5 proxy (RFC 1928, RFC 1929) on a free port.

Usage: socks5.py PORT_FILE LOG [USER PASSWORD]. The number of the port is written to PORT_FILE.

Each request is one line in LOG: the type of its address (name, ipv4, ipv6), the address, the port, the user.
"""

import asyncio
import os
import socket
import sys

PORT, LOG = sys.argv[1:3]
LOGIN = tuple(text.encode() for text in sys.argv[3:5]) or None


async def counted(reader):
    return await reader.readexactly((await reader.readexactly(1))[0])


async def log_in(reader, writer):
    """Agrees on a method, and returns the user's name, empty if none is required, or None if it is rejected."""
    await reader.readexactly(1)
    methods = await counted(reader)
    wanted = 2 if LOGIN else 0
    if wanted not in methods:
        writer.write(b"\x05\xff")
        return None
    writer.write(bytes([5, wanted]))
    if not LOGIN:
        return b""
    await reader.readexactly(1)
    login = (await counted(reader), await counted(reader))
    writer.write(b"\x01\x00" if login == LOGIN else b"\x01\x01")
    return login[0] if login == LOGIN else None


async def read_target(reader):
    kind = (await reader.readexactly(4))[3]
    if kind == 1:
        name, host = "ipv4", socket.inet_ntop(socket.AF_INET, await reader.readexactly(4))
    elif kind == 4:
        name, host = "ipv6", socket.inet_ntop(socket.AF_INET6, await reader.readexactly(16))
    else:
        name, host = "name", (await counted(reader)).decode()
    return name, host, int.from_bytes(await reader.readexactly(2), "big")


async def copy(reader, writer):
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


async def serve(reader, writer):
    try:
        user = await log_in(reader, writer)
        if user is not None:
            kind, host, port = await read_target(reader)
            with open(LOG, "a") as log:
                log.write(f"{kind} {host} {port} {user.decode() or '-'}\n")
            # Names that only this proxy knows.
            origin = await asyncio.open_connection("127.0.0.1" if host.endswith(".test") else host, port)
            writer.write(b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
            await asyncio.gather(copy(reader, origin[1]), copy(origin[0], writer))
    except (OSError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    with open(PORT + ".new", "w") as file:
        file.write(str(server.sockets[0].getsockname()[1]))
    # Named only after it is complete, because the test waits for the name.
    os.rename(PORT + ".new", PORT)
    await server.serve_forever()


asyncio.run(main())
