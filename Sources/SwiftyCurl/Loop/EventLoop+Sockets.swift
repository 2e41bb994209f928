// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

// Which transfer uses which connection.

extension EventLoop {
    /// The sockets that may be a connection's; see ``SocketTable/sockets(of:isNew:addressOf:)``.
    func sockets(of address: ConnectionAddress, isNew: Bool) -> [SocketTable.Socket] {
        poll.table.sockets(of: address, isNew: isNew) { ConnectionAddress(of: $0) }
    }

    /// The transfer's request is about to be written. In HTTP/1 nothing else may use the connection until it has been answered;
    /// libcurl before 8.8.0 lends it to other transfers that may speak HTTP/2 if a server claims to do so in a status line.
    func occupySocket(of transfer: Transfer, _ version: ResponseHead.HTTPVersion?) {
        guard transfer.target.scheme == .https, version != .http2, let socket = transfer.socket else { return }
        poll.table.setBusy(socket, true)
        transfer.occupiedSocket = socket
    }

    /// The transfer leaves its connection.
    func leaveSockets(of transfer: Transfer) {
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
