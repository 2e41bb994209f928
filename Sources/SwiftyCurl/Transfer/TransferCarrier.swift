// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// What carries a transfer: a connection, or one that is being made, for which the transfer waits.
protocol TransferCarrier: AnyObject {
    /// The facts about the connection, as far as it was made.
    var facts: ConnectionFacts { get }
    /// The stage of one of its transfers.
    func stage(of transfer: Transfer) -> SwiftyError.Stage
    /// Abandons a transfer, whose outcome the caller stores.
    ///
    /// - Parameter isOverdue: Whether it has reached a limit.
    func abandon(_ transfer: Transfer, isOverdue: Bool)
    /// Sends the content of a request that has waited for a 100 response for long enough.
    func stopWaitingForContinue(_ transfer: Transfer)
    /// Continues to receive, since the reader of the response has taken what had arrived.
    func resumeReceiving(_ transfer: Transfer)
    /// Continues to send, since there is more of the request's content.
    func resumeSending(_ transfer: Transfer)
    /// Attributes a limit that was reached, if another party than the server is to blame.
    func attributeTimeout(_ failure: inout TransferFailure)
}
