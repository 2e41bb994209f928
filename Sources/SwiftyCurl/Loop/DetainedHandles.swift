// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// Handles of ended transfers that libcurl may still use, each kept until its connection is closed.
///
/// A server can leave an HTTP/2 request no room on its connection; the request then waits in nghttp2's queue. If its
/// transfer ends meanwhile, libcurl before 8.6.0 leaves a pointer to the easy handle there (curl issue 10936), and
/// follows it when the queue moves. If the handle was freed by then, its memory belongs to something else; if it
/// carries another transfer, that transfer ends. A handle that is kept unchanged does no harm.
struct DetainedHandles {
    /// The maximum number of handles kept for a connection that nothing else uses.
    static let limit = 100
    /// The maximum number of handles kept for any connection.
    static let limitOfBusyConnections = 2_000

    private var handles: [(handle: EasyHandle, sockets: [Int32])] = []
    /// Handles whose connections are closed. libcurl reports that in the middle of its work, when no handle may be
    /// freed.
    private var free: [EasyHandle] = []

    /// Keeps a handle whose request was written to the connection of one of these sockets.
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

    /// Frees the handles whose connections are closed. Must not be called from a callback of libcurl.
    mutating func freeUnneeded() {
        if !free.isEmpty { free.removeAll() }
    }

    /// Frees all handles, once the connections are closed.
    mutating func freeAll() {
        handles.removeAll()
        free.removeAll()
    }

    /// The number of handles kept for the connection of this socket.
    func count(on socket: Int32) -> Int {
        handles.reduce(0) { $1.sockets.contains(socket) ? $0 + 1 : $0 }
    }
}

extension EventLoop {
    /// Keeps the handle of a transfer without a response, if libcurl may still use it. Returns whether it was kept.
    func detain(_ handle: EasyHandle, of transfer: Transfer) -> Bool {
        guard !CurlLibrary.canFreeHandlesImmediately, handle.mayBeHTTP2(transfer) else { return false }
        let sockets = transfer.sockets.filter { poll.table.isOpen($0) }.map(\.number)
        guard !sockets.isEmpty else { return false }
        detained.hold(handle, on: sockets)
        for socket in sockets { limitDetained(on: socket, after: transfer) }
        return true
    }

    /// Ends a connection with too many kept handles, if possible when nothing else uses it.
    private func limitDetained(on socket: Int32, after transfer: Transfer) {
        let count = detained.count(on: socket)
        guard count > DetainedHandles.limit else { return }
        let isBusy = active.contains { other in
            other.transfer !== transfer && other.transfer.sockets.contains { $0.number == socket }
        }
        if !isBusy || count > DetainedHandles.limitOfBusyConnections { ccurl_shut_down(socket) }
    }
}
