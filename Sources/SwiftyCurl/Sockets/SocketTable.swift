// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The sockets of libcurl, the events that it wants from them, and their registration with epoll.
///
/// libcurl drops its interest in a connection after each response and renews it with the next request. A socket that is
/// known to be open therefore stays registered meanwhile, which saves two system calls for each request. If an event
/// arrives without interest, the registration is removed then.
struct SocketTable {
    /// The change of registration that epoll needs.
    enum Change: Equatable {
        case none
        case add(Int32)
        case modify(Int32)
        case remove
    }

    /// A socket, distinguished from earlier ones with the same number.
    struct Socket: Hashable {
        let number: Int32
        let generation: UInt32
    }

    private struct Entry {
        /// Whether it was opened by our callback, so that its end is reported, too.
        var isWatched = false
        var registered = CURL_POLL_NONE
        var wanted = CURL_POLL_NONE
        /// Whether its server still waits for the content of a request, and would take the next request for that.
        var mustNotBeReused = false
        /// Whether it carries an HTTP/1 request without a complete response.
        var isBusy = false
        /// Whether libcurl has left the socket to us.
        var isAdopted = false
        /// The connection that uses it, if libcurl has left it to us.
        var connection: Connection?
        /// `nil` until the socket is connected and was looked up.
        var address: ConnectionAddress?
        /// The number of earlier sockets with this number.
        var generation: UInt32 = 0
    }

    private var entries: [Entry] = []
    /// Almost always one for each address.
    private var socketsOfAddress: [ConnectionAddress: [Socket]] = [:]
    private var withoutAddress: [Int32] = []

    private mutating func withEntry<Result>(_ socket: Int32, _ body: (inout Entry) -> Result) -> Result? {
        guard let index = Int(exactly: socket), index >= 0 else { return nil }
        while entries.count <= index { entries.append(Entry()) }
        return body(&entries[index])
    }

    /// libcurl has opened a socket. The end of an earlier one with this number may not have been reported: before
    /// 8.2.0, libcurl does not report it if that socket was never connected.
    mutating func opened(_ socket: Int32) {
        if entry(socket)?.isWatched ?? false { _ = closing(socket) }
        _ = withEntry(socket) { $0 = Entry(isWatched: true, generation: $0.generation) }
        withoutAddress.append(socket)
    }

    /// libcurl is about to close a socket.
    mutating func closing(_ socket: Int32) -> Change {
        let (address, registered) =
            withEntry(socket) { entry in
                defer { entry = Entry(generation: entry.generation &+ 1) }
                return (entry.address, entry.registered)
            } ?? (nil, CURL_POLL_NONE)
        if let address { forget(socket, at: address) }
        withoutAddress.removeAll { $0 == socket }
        return registered == CURL_POLL_NONE ? .none : .remove
    }

    /// libcurl wants to know when the socket is readable, writable, both, or no longer (`CURL_POLL_REMOVE`).
    mutating func interest(_ what: Int32, in socket: Int32) -> Change {
        withEntry(socket) { entry in
            guard what != CURL_POLL_REMOVE, what != CURL_POLL_NONE else {
                entry.wanted = CURL_POLL_NONE
                if entry.isWatched || entry.registered == CURL_POLL_NONE { return .none }
                entry.registered = CURL_POLL_NONE
                return .remove
            }
            entry.wanted = what
            if entry.registered == what { return .none }
            let isKnown = entry.registered != CURL_POLL_NONE
            entry.registered = what
            return isKnown ? .modify(what) : .add(what)
        } ?? .none
    }

    /// An event arrived. Returns `.remove` if libcurl has no interest in it.
    mutating func ready(_ socket: Int32) -> Change {
        withEntry(socket) { entry in
            guard entry.wanted == CURL_POLL_NONE, entry.registered != CURL_POLL_NONE else { return .none }
            entry.registered = CURL_POLL_NONE
            return .remove
        } ?? .none
    }

    /// epoll could not register the socket.
    mutating func failed(_ socket: Int32) {
        _ = withEntry(socket) { $0.registered = CURL_POLL_NONE }
    }

    /// The generation of a socket, which distinguishes it from earlier ones whose events may still arrive.
    func generation(of socket: Int32) -> UInt32 {
        entry(socket)?.generation ?? 0
    }

    // MARK: Connections of the pool

    /// libcurl leaves a connected socket to us: it is watched for bytes until it is closed.
    ///
    /// - Parameter isOurs: Whether we close it; with TLS, libcurl does.
    mutating func adopt(_ socket: Int32, isOurs: Bool) -> Change {
        withoutAddress.removeAll { $0 == socket }
        _ = withEntry(socket) { $0.isAdopted = isOurs }
        return interest(CURL_POLL_IN, in: socket)
    }

    /// The connection of an adopted socket is about to close it.
    mutating func detach(_ socket: Int32) {
        if isAdopted(socket) {
            _ = closing(socket)
        } else {
            _ = withEntry(socket) { $0.connection = nil }
        }
    }

    mutating func attach(_ connection: Connection) {
        _ = withEntry(connection.socket) { $0.connection = connection }
    }

    func isAdopted(_ socket: Int32) -> Bool {
        entry(socket)?.isAdopted ?? false
    }

    func connection(of socket: Int32) -> Connection? {
        entry(socket)?.connection
    }

    // MARK: Connections of libcurl

    /// The sockets with these addresses: one, several that cannot be told apart, or none if the connection is unknown.
    mutating func sockets(
        of address: ConnectionAddress,
        isNew: Bool,
        addressOf: (Int32) -> ConnectionAddress?
    ) -> [Socket] {
        if !isNew, let sockets = socketsOfAddress[address] { return sockets }
        var unconnected: [Int32] = []
        for number in withoutAddress {
            guard let address = addressOf(number) else {
                unconnected.append(number)
                continue
            }
            entries[Int(number)].address = address
            socketsOfAddress[address, default: []].append(Socket(number: number, generation: generation(of: number)))
        }
        withoutAddress = unconnected
        return socketsOfAddress[address] ?? []
    }

    private mutating func forget(_ socket: Int32, at address: ConnectionAddress) {
        socketsOfAddress[address]?.removeAll { $0.number == socket }
        if socketsOfAddress[address]?.isEmpty == true { socketsOfAddress[address] = nil }
    }

    mutating func forbidReuse(of socket: Socket) {
        if isOpen(socket) { entries[Int(socket.number)].mustNotBeReused = true }
    }

    func mustNotBeReused(_ socket: Socket) -> Bool {
        isOpen(socket) && entries[Int(socket.number)].mustNotBeReused
    }

    mutating func setBusy(_ socket: Socket, _ isBusy: Bool) {
        if isOpen(socket) { entries[Int(socket.number)].isBusy = isBusy }
    }

    func isBusy(_ socket: Socket) -> Bool {
        isOpen(socket) && entries[Int(socket.number)].isBusy
    }

    /// Whether the socket is still open.
    func isOpen(_ socket: Socket) -> Bool {
        entry(socket.number).map { $0.isWatched && $0.generation == socket.generation } ?? false
    }

    private func entry(_ socket: Int32) -> Entry? {
        guard let index = Int(exactly: socket), entries.indices.contains(index) else { return nil }
        return entries[index]
    }
}
