// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension StreamSocket {
    /// Makes all later calls return immediately.
    func makeNonblocking() {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Reads the available bytes.
    func receiveNow(limit: Int) -> RelayRead {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &bytes, limit, 0)
        if count == 0 { return .end }
        guard count > 0 else { return Self.isTemporary(errno) ? .nothingYet : .failed }
        bytes.removeLast(limit - count)
        return .bytes(bytes)
    }

    /// Writes as much as there is room for; `nil` if the peer has left.
    func sendNow(_ bytes: ArraySlice<UInt8>) -> Int? {
        // Safety: the pointer is only used within the closure.
        let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Self.sendFlags) }
        if count >= 0 { return count }
        return Self.isTemporary(errno) ? 0 : nil
    }

    private static func isTemporary(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }

    /// The next byte, without consuming it, blocking; `nil` at the end of the stream and after any error.
    func peekByte() -> UInt8? {
        var byte: UInt8 = 0
        var count: Int
        repeat {
            count = recv(descriptor, &byte, 1, Int32(MSG_PEEK))
        } while count < 0 && errno == EINTR
        return count == 1 ? byte : nil
    }

    /// Waits until this socket or another one can be read or written.
    func wait(
        with other: StreamSocket,
        reading: (Bool, Bool),
        writing: (Bool, Bool),
        atMost duration: Duration
    ) {
        let events = { (reads: Bool, writes: Bool) in Int16(reads ? POLLIN : 0) | Int16(writes ? POLLOUT : 0) }
        var watched = [
            pollfd(fd: descriptor, events: events(reading.0, writing.0), revents: 0),
            pollfd(fd: other.descriptor, events: events(reading.1, writing.1), revents: 0),
        ]
        // A socket with nothing to wait for would report the end of its connection again and again.
        for index in watched.indices where watched[index].events == 0 { watched[index].fd = -1 }
        _ = poll(&watched, 2, Int32(min(duration / .milliseconds(1), 3_600_000)))
    }
}
