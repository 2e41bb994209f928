// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// Handles of ended transfers to which libcurl may still come back, each until its connection is closed.
///
/// A server can leave an HTTP/2 request no room on its connection; the request then waits in nghttp2's queue. If its transfer
/// ends meanwhile, libcurl before 8.6.0 leaves a pointer to the easy handle there (curl issue 10936), and follows it when the
/// queue moves. A handle that was freed by then is memory of something else, and one that carries another transfer ends that.
/// A handle that is kept as it is does no harm.
struct DetainedHandles {
    /// So many handles may wait for a connection that nothing else uses.
    static let limit = 100
    /// So many may wait for any connection.
    static let limitOfBusyConnections = 2_000

    private var handles: [(handle: EasyHandle, sockets: [Int32])] = []
    /// Those whose connections are closed. libcurl says so in the middle of its work, when none of them may be freed.
    private var free: [EasyHandle] = []

    /// Takes a handle whose request was written to the connection of one of these sockets.
    mutating func hold(_ handle: EasyHandle, on sockets: [Int32]) {
        handles.append((handle, sockets))
    }

    /// libcurl closes a socket.
    mutating func closed(_ socket: Int32) {
        for index in handles.indices.reversed() where handles[index].sockets.contains(socket) {
            handles[index].sockets.removeAll { $0 == socket }
            if handles[index].sockets.isEmpty { free.append(handles.remove(at: index).handle) }
        }
    }

    /// Frees what need not wait any more. Not from within libcurl.
    mutating func freeUnneeded() {
        if !free.isEmpty { free.removeAll() }
    }

    /// Frees all, once the connections are closed.
    mutating func freeAll() {
        handles.removeAll()
        free.removeAll()
    }

    /// How many handles wait for this socket's connection.
    func count(on socket: Int32) -> Int {
        handles.reduce(0) { $1.sockets.contains(socket) ? $0 + 1 : $0 }
    }
}

extension EventLoop {
    /// Keeps the handle of a transfer that was not answered, if libcurl may come back to it. Returns whether it may.
    func detain(_ handle: EasyHandle, of transfer: Transfer) -> Bool {
        guard !CurlLibrary.letsGoOfHandles, handle.mayBeHTTP2(transfer) else { return false }
        let sockets = transfer.sockets.filter { poll.table.isOpen($0) }.map(\.number)
        guard !sockets.isEmpty else { return false }
        detained.hold(handle, on: sockets)
        for socket in sockets { limitDetained(on: socket, after: transfer) }
        return true
    }

    /// Ends a connection for which too many handles wait, if possible when nothing else uses it.
    private func limitDetained(on socket: Int32, after transfer: Transfer) {
        let count = detained.count(on: socket)
        guard count > DetainedHandles.limit else { return }
        let isBusy = active.contains { $0 !== transfer && $0.sockets.contains { $0.number == socket } }
        if !isBusy || count > DetainedHandles.limitOfBusyConnections { ccurl_shut_down(socket) }
    }
}
