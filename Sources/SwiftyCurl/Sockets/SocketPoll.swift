// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The sockets of a loop, and the wait for their events. Only the loop's thread uses it.
final class SocketPoll {
    private static let capacity = 256

    var waker: any Waker { system.waker }
    @exclusivity(unchecked) var table = SocketTable()

    private let system: any SocketSystem
    @exclusivity(unchecked) private var events = [ccurl_ready](repeating: ccurl_ready(), count: capacity)

    init(_ system: any SocketSystem) {
        self.system = system
    }

    /// Returns `false` if the system cannot watch the socket.
    func setInterest(_ what: Int32, in socket: Int32) -> Bool {
        apply(table.interest(what, in: socket), to: socket)
    }

    /// Removes a socket that is about to be closed.
    func close(_ socket: Int32) {
        apply(table.close(socket), to: socket)
    }

    /// Whether an event is out of date: an earlier event of the same wait may have closed the socket, and another one
    /// may have its number.
    func isStale(_ ready: ccurl_ready) -> Bool {
        ready.socket < 0 || table.generation(of: ready.socket) != ready.generation
    }

    /// Waits; without an event after the timeout, or when another thread has woken the loop.
    func wait(milliseconds: Int32) -> SocketEvents {
        events.withUnsafeMutableBufferPointer { system.wait(milliseconds: milliseconds, for: self, into: $0) }
    }

    func event(at index: Int) -> ccurl_ready {
        events[index]
    }

    @discardableResult
    private func apply(_ change: SocketTable.Change, to socket: Int32) -> Bool {
        switch change {
        case .none: return true
        case .add(let what): return control(socket, what, isKnown: false)
        case .modify(let what): return control(socket, what, isKnown: true)
        case .remove:
            _ = system.control(socket, generation: 0, CURL_POLL_REMOVE, isKnown: true)
            return true
        }
    }

    /// Registers a socket with the system. If the system and the table disagree on whether it is registered, the system
    /// is right.
    private func control(_ socket: Int32, _ what: Int32, isKnown: Bool) -> Bool {
        let generation = table.generation(of: socket)
        if system.control(socket, generation: generation, what, isKnown: isKnown) { return true }
        if system.control(socket, generation: generation, what, isKnown: !isKnown) { return true }
        table.failed(socket)
        return false
    }
}

/// The system calls of a ``SocketPoll``.
protocol SocketSystem: AnyObject {
    /// Ends a wait.
    var waker: any Waker { get }
    /// Adds, changes or (`what` is `CURL_POLL_REMOVE`) removes a socket. Returns `false` if the system cannot.
    func control(_ socket: Int32, generation: UInt32, _ what: Int32, isKnown: Bool) -> Bool
    /// Waits for at most this time, for ever if it is negative. An event that only ends the wait has a negative socket.
    func wait(
        milliseconds: Int32,
        for poll: SocketPoll,
        into events: UnsafeMutableBufferPointer<ccurl_ready>
    ) -> SocketEvents
}

/// The result of a wait for sockets.
struct SocketEvents {
    var count = 0
    /// Whether these are the events of all sockets: there was room for them, and no signal has ended the wait.
    var isComplete = false
}
