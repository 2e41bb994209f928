// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The version of HTTP that a connection speaks: it writes requests and reads responses.
///
/// A codec moves bytes between its connection and the transfers that the connection carries. It ends a transfer with
/// ``Connection/complete(_:)`` or ``Connection/fail(_:_:)``, and the connection with ``Connection/close()``.
protocol Codec: AnyObject {
    /// Starts a transfer: writes as much of its request as the peer accepts immediately.
    func begin(_ transfer: Transfer, on connection: Connection)
    /// Reads what has arrived.
    func receive(on connection: Connection)
    /// Continues to write, because the peer accepts more.
    func send(on connection: Connection)
    /// Sends the content of a request that has waited for a 100 response for long enough.
    func stopWaitingForContinue(_ transfer: Transfer, on connection: Connection)
    /// Continues to receive a response whose buffer the reader has drained.
    func resumeReceiving(_ transfer: Transfer, on connection: Connection)
    /// Continues to send a request that has more content.
    func resumeSending(_ transfer: Transfer, on connection: Connection)
    /// Abandons a transfer, whose outcome the caller stores.
    ///
    /// - Parameter isOverdue: Whether it has reached a limit.
    func abandon(_ transfer: Transfer, isOverdue: Bool, on connection: Connection)
    /// Ends the connection and its transfers, or repeats those that are safe to repeat.
    func lose(_ failure: TransferFailure, on connection: Connection)
    /// Whether the connection carries several transfers simultaneously.
    var isShared: Bool { get }
    /// Whether the connection carries no transfer.
    var isIdle: Bool { get }
    /// Whether the connection takes no further transfers.
    var isDraining: Bool { get }
    /// The number of further transfers that the connection can carry now.
    var room: Int { get }
    /// Whether the server allows no transfer for now.
    var isHeldByServer: Bool { get }
    /// Limits the simultaneous transfers to those of other connections to the server, until the server announces its
    /// limit.
    func assume(streamLimit: Int)
    /// Checks that the peer of a silent connection still responds. Returns the time of the next check; `.max` if there
    /// is nothing to check.
    func checkPeer(on connection: Connection) -> Int64
    /// Sends the output that was deferred to the end of the turn.
    func flush(on connection: Connection)
    /// The stage of a transfer on this connection.
    func stage(of transfer: Transfer) -> SwiftyError.Stage
}
