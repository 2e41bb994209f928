// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension StreamSocket {
    /// Waits for a connection to accept; `false` once `waker` has been woken.
    func waitForConnection(unless waker: Waker) -> Bool {
        var watched = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: waker.reading, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let result = poll(&watched, nfds_t(watched.count), -1)
            if result < 0 && errno == EINTR { continue }
            return result > 0 && watched[1].revents == 0
        }
    }

    /// Waits without reading; `true` if the connection ended meanwhile: by a reset of the peer, or by `shutDown`.
    func waitForEnd(atMost duration: Duration) -> Bool {
        wait(for: 0, atMost: duration)
    }

    /// Waits, without reading, until the peer has closed its side or the connection has ended.
    func waitUntilPeerLeaves() {
        #if os(Linux)
        while !wait(for: Self.peerFinished, atMost: .seconds(3_600)) {}
        #else
        // Without POLLRDHUP a FIN is visible only in the stream, so check it periodically.
        while !waitForEnd(atMost: .milliseconds(50)) && !hasPeerLeft {}
        #endif
    }

    /// Whether the peer has closed its side or the connection has ended, as far as can be seen without reading.
    var hasPeerLeft: Bool {
        #if os(Linux)
        wait(for: Self.peerFinished, atMost: .zero)
        #else
        var byte: UInt8 = 0
        return waitForEnd(atMost: .zero) || recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
        #endif
    }

    /// Sends FIN and continues to read until the peer also sends FIN: closing a socket with unread bytes would send
    /// RST, which can destroy what the peer has not read yet.
    func finishSending() {
        shutDownSending()
        let deadline = ContinuousClock.now + .seconds(1)
        while wait(for: Int16(POLLIN), atMost: ContinuousClock.now.duration(to: deadline)) {
            if receive().isEmpty { return }
        }
    }

    #if os(Linux)
    /// POLLRDHUP, which the C library declares only for programs with GNU extensions.
    private static let peerFinished: Int16 = 0x2000
    #endif

    private func wait(for events: Int16, atMost duration: Duration) -> Bool {
        let deadline = ContinuousClock.now + duration
        while true {
            let left = max(.zero, ContinuousClock.now.duration(to: deadline))
            // Rounded up, so that a pause is never too short.
            let milliseconds = min(left / .milliseconds(1), 3_600_000).rounded(.up)
            var watched = pollfd(fd: descriptor, events: events, revents: 0)
            let result = poll(&watched, 1, Int32(milliseconds))
            if result > 0 { return true }
            if result < 0 && errno != EINTR { return true }
            if result == 0 && ContinuousClock.now >= deadline { return false }
        }
    }
}

/// A pipe that ends a `poll` on another thread.
struct Waker: Sendable {
    let reading: Int32
    private let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw StreamSocket.SystemCallError("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = ends[0]
        writing = ends[1]
    }

    func wake() {
        _ = write(writing, [UInt8(1)], 1)
    }

    func close() {
        StreamSocket(descriptor: reading).close()
        StreamSocket(descriptor: writing).close()
    }
}
