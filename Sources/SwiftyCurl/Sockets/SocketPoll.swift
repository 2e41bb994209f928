// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

#if os(Linux)
/// Waits for sockets with epoll.
struct SocketPoll {
    private static let capacity = 256

    let waker: Waker
    var table = SocketTable()

    private let epoll: Descriptor
    private var events = [ccurl_ready](repeating: ccurl_ready(), count: capacity)

    /// Returns `nil` if the process is out of descriptors.
    init?(multi: UnsafeMutableRawPointer) {
        guard let epoll = Descriptor(ccurl_epoll_create()), let waker = Waker() else { return nil }
        guard ccurl_epoll_add_waker(epoll.number, waker.descriptor) == 0 else { return nil }
        self.epoll = epoll
        self.waker = waker
    }

    /// Returns `false` if the system cannot watch the socket.
    mutating func setInterest(_ what: Int32, in socket: Int32) -> Bool {
        apply(table.interest(what, in: socket), to: socket)
    }

    /// The socket is about to be closed.
    mutating func close(_ socket: Int32) {
        apply(table.close(socket), to: socket)
    }

    /// An event of the socket is out of date: an earlier event of the same wait may have closed the socket, and another
    /// one may have its number.
    func isStale(_ ready: ccurl_ready) -> Bool {
        ready.socket == waker.descriptor || table.generation(of: ready.socket) != ready.generation
    }

    /// Waits and returns the number of events; 0 after the timeout, or when another thread has woken the loop.
    mutating func wait(milliseconds: Int32) -> Int {
        let number = epoll.number
        return events.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { Int(ccurl_epoll_wait(number, $0, Int32(Self.capacity), milliseconds)) } ?? 0
        }
    }

    func event(at index: Int) -> ccurl_ready {
        events[index]
    }

    @discardableResult
    private mutating func apply(_ change: SocketTable.Change, to socket: Int32) -> Bool {
        switch change {
        case .none: return true
        case .add(let what): return control(socket, what, isKnown: false)
        case .modify(let what): return control(socket, what, isKnown: true)
        case .remove:
            _ = ccurl_epoll_control(epoll.number, socket, 0, CURL_POLL_REMOVE, true)
            return true
        }
    }

    /// Registers a socket with epoll. If the kernel and the table disagree on whether it is registered, the kernel is
    /// right.
    private mutating func control(_ socket: Int32, _ what: Int32, isKnown: Bool) -> Bool {
        let generation = table.generation(of: socket)
        if ccurl_epoll_control(epoll.number, socket, generation, what, isKnown) == 0 { return true }
        if ccurl_epoll_control(epoll.number, socket, generation, what, !isKnown) == 0 { return true }
        table.failed(socket)
        return false
    }
}

/// A file descriptor that is closed with its last owner.
private final class Descriptor {
    let number: Int32

    init?(_ number: Int32) {
        self.number = number
        if number < 0 { return nil }
    }

    deinit {
        ccurl_close(number)
    }
}
#else
/// Waits for sockets with libcurl's own poll, on systems without epoll.
struct SocketPoll {
    let waker: Waker
    var table = SocketTable()

    private let multi: UnsafeMutableRawPointer
    private var ready: [ccurl_ready] = []

    init?(multi: UnsafeMutableRawPointer) {
        self.multi = multi
        waker = Waker(multi: multi)
    }

    mutating func setInterest(_ what: Int32, in socket: Int32) -> Bool {
        _ = table.interest(what, in: socket)
        return true
    }

    mutating func close(_ socket: Int32) {
        _ = table.close(socket)
    }

    func isStale(_ ready: ccurl_ready) -> Bool { table.generation(of: ready.socket) != ready.generation }

    /// Waits, lets libcurl handle the events of its own sockets, and returns the number of events of the others.
    mutating func wait(milliseconds: Int32) -> Int {
        var watched = table.handled.map { socket, what in
            curl_waitfd(fd: socket, events: Int16(what & CURL_POLL_IN) | Int16(what & CURL_POLL_OUT) << 1, revents: 0)
        }
        var count: Int32 = 0
        curl_multi_poll(multi, &watched, UInt32(watched.count), milliseconds < 0 ? .max : milliseconds, &count)
        ready = watched.filter { $0.revents != 0 }.map { watched in
            let isWritable = Int32(watched.revents) & CURL_WAIT_POLLOUT != 0
            return ccurl_ready(
                socket: watched.fd,
                generation: table.generation(of: watched.fd),
                events: CURL_CSELECT_IN | (isWritable ? CURL_CSELECT_OUT : 0)
            )
        }
        curl_multi_perform(multi, &count)
        return ready.count
    }

    func event(at index: Int) -> ccurl_ready {
        ready[index]
    }
}
#endif
