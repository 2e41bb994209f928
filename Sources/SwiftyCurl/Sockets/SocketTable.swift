// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// Handles the events of a socket.
protocol SocketHandler: AnyObject {
    /// - Parameter events: libcurl's `CURL_CSELECT_IN`, `_OUT` and `_ERR`.
    func handle(_ events: Int32)
}

/// The sockets of a loop, and their registration with epoll: those on which libcurl makes connections, and those with a
/// handler.
struct SocketTable {
    /// The change of registration that epoll needs.
    enum Change: Equatable {
        case none
        case add(Int32)
        case modify(Int32)
        case remove
    }

    private struct Entry {
        var registered = CURL_POLL_NONE
        /// Whether libcurl has left the socket to us, so that it must not close it.
        var isAdopted = false
        /// `nil` while libcurl makes a connection on it.
        var handler: (any SocketHandler)?
        /// The number of earlier sockets with this number.
        var generation: UInt32 = 0
    }

    private var entries: [Entry] = []

    /// Sets the events to wait for; `CURL_POLL_REMOVE` and `CURL_POLL_NONE` end the registration.
    mutating func interest(_ what: Int32, in socket: Int32) -> Change {
        withEntry(socket) { entry in
            let wanted = what == CURL_POLL_REMOVE ? CURL_POLL_NONE : what
            if entry.registered == wanted { return .none }
            let isKnown = entry.registered != CURL_POLL_NONE
            entry.registered = wanted
            if wanted == CURL_POLL_NONE { return .remove }
            return isKnown ? .modify(wanted) : .add(wanted)
        } ?? .none
    }

    /// Forgets a socket that is about to be closed, or whose number another one has.
    mutating func close(_ socket: Int32) -> Change {
        withEntry(socket) { entry in
            defer { entry = Entry(generation: entry.generation &+ 1) }
            return entry.registered == CURL_POLL_NONE ? .none : .remove
        } ?? .none
    }

    /// Records that epoll could not register the socket.
    mutating func failed(_ socket: Int32) {
        _ = withEntry(socket) { $0.registered = CURL_POLL_NONE }
    }

    /// Adopts a connected socket, which libcurl then does not close.
    mutating func adopt(_ socket: Int32) {
        _ = withEntry(socket) { $0.isAdopted = true }
    }

    mutating func attach(_ handler: (any SocketHandler)?, to socket: Int32) {
        _ = withEntry(socket) { $0.handler = handler }
    }

    func isAdopted(_ socket: Int32) -> Bool { entry(socket)?.isAdopted ?? false }

    func handler(of socket: Int32) -> (any SocketHandler)? { entry(socket)?.handler }

    /// The sockets with a handler, and their registrations.
    var handled: [(socket: Int32, what: Int32)] {
        entries.indices.filter { entries[$0].handler != nil && entries[$0].registered != CURL_POLL_NONE }
            .map { (Int32($0), entries[$0].registered) }
    }

    /// The generation of a socket, which distinguishes it from earlier ones whose events may still arrive.
    func generation(of socket: Int32) -> UInt32 { entry(socket)?.generation ?? 0 }

    private mutating func withEntry<Result>(_ socket: Int32, _ body: (inout Entry) -> Result) -> Result? {
        guard let index = Int(exactly: socket), index >= 0 else { return nil }
        while entries.count <= index { entries.append(Entry()) }
        return body(&entries[index])
    }

    private func entry(_ socket: Int32) -> Entry? {
        guard let index = Int(exactly: socket), entries.indices.contains(index) else { return nil }
        return entries[index]
    }
}
