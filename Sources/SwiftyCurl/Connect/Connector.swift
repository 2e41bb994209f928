// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// One connection while it is made. Only the loop's thread uses it.
protocol Connector: AnyObject {
    /// The facts about the connection, as far as it was made.
    var facts: ConnectionFacts { get }
    /// The stage that is under way.
    var stage: SwiftyError.Stage { get }
    /// Begins to connect. Returns `false` if allocation fails.
    func start() -> Bool
    /// Takes the connection once it is made.
    ///
    /// - Throws: The failure of the transfers that wait for it; the connection is closed.
    func open() throws(TransferFailure) -> OpenConnection
    /// Ends the attempt. Must not be called from a callback of libcurl.
    func cancel()
    /// The failure of a connection that has ended with this code.
    ///
    /// - Parameter overdue: The limit that the owner of the attempt has reached, if any.
    func explain(_ code: ConnectEnd.Code, overdue: TransferDeadlines.Overdue?) -> TransferFailure
    /// Attributes a reached limit to the proxy if the proxy is the cause.
    func attributeTimeout(_ failure: inout TransferFailure)
}

/// The end of an attempt to connect.
struct ConnectEnd {
    /// The number of the attempt.
    let number: Int
    let result: Result

    /// A code of the library that makes connections, such as a `CURLcode`.
    typealias Code = UInt32

    enum Result {
        case made
        case failed(Code)
        /// The system cannot watch its socket.
        case unwatched
    }
}

/// Makes the connections of a loop, on the loop's thread.
protocol Dialer: AnyObject {
    /// Prepares a connection for a transfer. Returns `nil` if allocation fails.
    ///
    /// - Parameters:
    ///   - number: Names the attempt.
    ///   - isFirst: Whether no other connection is being made.
    func makeConnector(
        for transfer: Transfer,
        number: Int,
        isFirst: Bool,
        _ resources: LoopResources
    ) -> (any Connector)?
    /// The time at which the next work is due; `.max` if no work is due.
    func deadline(isConnecting: Bool) -> Int64
    /// Does the work that is due. Returns `false` if there is no memory for it.
    func work(isConnecting: Bool, at now: Int64) -> Bool
    /// Handles the events of a socket on which a connection is made. Returns `false` if there is no memory.
    func act(on socket: Int32, events: Int32) -> Bool
    /// Removes and returns the next ended attempt; `nil` after the last one.
    func takeEnded() -> ConnectEnd?
}
