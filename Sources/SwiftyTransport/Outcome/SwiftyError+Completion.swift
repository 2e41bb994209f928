// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import struct Foundation.Data

extension SwiftyError {
    /// This error with its response replaced.
    package func withResponse(_ head: ResponseHead?, content: Data?) -> SwiftyError {
        var error = self
        error.head = head
        error.content = content
        return error
    }

    /// This error with its response and metrics replaced.
    ///
    /// - Parameters:
    ///   - response: The response as it was received.
    ///   - content: The decoded content; `nil` if it cannot be decoded.
    package func withResponse(_ response: TransportResponse, content: Data?) -> SwiftyError {
        var error = withResponse(response.head, content: content)
        error.transfer = response.metrics
        return error
    }
}

extension SwiftyError.Code {
    /// The reason for the early end of a load that was cancelled with this code.
    package var cancellationReason: String {
        switch self {
        case .cancelled: "the load was cancelled"
        case .timedOut: "the time limit of the load was reached"
        case .shutdown: "the load was ended by a shutdown"
        default: "the load was ended early"
        }
    }
}
