// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

// The connections of transfers, and libcurl's requests to watch sockets and the clock.

extension EventLoop {
    /// The candidates for a connection's socket; see ``SocketTable/sockets(of:isNew:addressOf:)``.
    func sockets(of address: ConnectionAddress, isNew: Bool) -> [SocketTable.Socket] {
        poll.table.sockets(of: address, isNew: isNew) { ConnectionAddress(of: $0) }
    }

    /// Marks the socket of a request that is about to be written as in use: in HTTP/1, nothing else may use the
    /// connection before the response is complete. If a status line claims HTTP/2, libcurl before 8.8.0 lends the
    /// connection to other transfers that may speak HTTP/2.
    func occupySocket(of transfer: Transfer, _ version: ResponseHead.HTTPVersion?) {
        guard transfer.target.scheme == .https, version != .http2, let socket = transfer.socket else { return }
        poll.table.setBusy(socket, true)
        transfer.occupiedSocket = socket
    }

    /// Releases the transfer's connection.
    func releaseSockets(of transfer: Transfer) {
        if let socket = transfer.occupiedSocket { poll.table.setBusy(socket, false) }
        transfer.occupiedSocket = nil
        transfer.sockets = []
    }

    /// libcurl closes a socket.
    func forget(_ socket: Int32) {
        poll.close(socket)
        detained.closed(socket)
    }
}

extension EventLoop {
    /// Sets the options and callbacks of the multi handle. Returns `false` if libcurl rejects one.
    func setUp() -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let numbers = [
            (CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX)),
            (CURLMOPT_MAXCONNECTS, environment.maximumIdleConnections),
            (CURLMOPT_MAX_CONCURRENT_STREAMS, environment.maximumConcurrentStreams),
        ]
        return ccurl_multi_set_socket_function(multi, socketCallback, context) == CURLM_OK
            && ccurl_multi_set_timer_function(multi, timerCallback, context) == CURLM_OK
            && numbers.allSatisfy { ccurl_multi_set_long(multi, $0, $1) == CURLM_OK }
    }

    /// Ends a transfer whose socket the system cannot watch, which would wait for ever.
    fileprivate func endUnwatched(_ easy: UnsafeMutableRawPointer) {
        switch CurlHandle.owner(of: easy) {
        case let connector as Connector: if let owner = connector.owner { cancelLater(owner, with: .unwatched) }
        case let handle as EasyHandle: if let transfer = handle.transfer { cancelLater(transfer, with: .unwatched) }
        default: break
        }
    }

    fileprivate func setTimer(milliseconds: Int) {
        switch milliseconds {
        case ..<0: curlDeadline = .max
        case 0: curlDeadline = 0
        default: curlDeadline = ccurl_now() &+ Int64(min(milliseconds, Int(Int32.max))) &* 1_000_000
        }
    }
}

extension TransferFailure {
    static let unwatched = TransferFailure(
        code: .tooManyOpenFiles,
        stage: .queue,
        sent: .notSent,
        reason: "the system could not watch the connection: it is out of memory or of descriptors"
    )
}

private func loop(_ context: UnsafeMutableRawPointer) -> EventLoop {
    Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue()
}

private let socketCallback: ccurl_socket_callback = { easy, socket, what, context, _ in
    let loop = loop(context)
    if !loop.poll.setInterest(what, in: socket) { loop.endUnwatched(easy) }
    return 0
}

private let timerCallback: ccurl_timer_callback = { _, milliseconds, context in
    loop(context).setTimer(milliseconds: milliseconds)
    return 0
}
