// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The owner of a transfer: its connection, or the pending connection that it waits for.
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
    /// Continues to receive a response whose buffer the reader has drained.
    func resumeReceiving(_ transfer: Transfer)
    /// Continues to send a request that has more content.
    func resumeSending(_ transfer: Transfer)
    /// Attributes a reached limit to another party if the server is not the cause.
    func attributeTimeout(_ failure: inout TransferFailure)
}
