// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

extension TransferState {
    /// What is to be done with the connection of a response whose head is complete.
    struct ConnectionCare: Equatable {
        /// It must not be used again: the response was taken although it is odd.
        var forbidsReuse = false
        /// libcurl finds bytes behind the response and only mentions them: its words must be heard.
        var needsWatching = false
        /// The end of the connection ends the response, and TLS can tell whether it was meant.
        var needsProofOfEnd = false
    }

    /// What follows from the head for the connection.
    var connectionCare: ConnectionCare {
        guard head.isComplete, head.isExclusive else { return ConnectionCare() }
        return ConnectionCare(
            forbidsReuse: forbidsReuse,
            needsWatching: !hasContent || head.contentLength == 0,
            needsProofOfEnd: isSecure && hasContent && head.isDelimitedByClose
        )
    }

    /// Whether the response is complete beyond doubt, now that the transfer has ended well.
    ///
    /// libcurl 7.88 ends a stream of HTTP/2 without an error when the server breaks the protocol. Only a length tells then.
    var isCompletenessProven: Bool {
        guard head.isComplete, hasContent else { return head.isComplete }
        if head.isDelimitedByClose { return isEndAuthenticated }
        return head.isExclusive ? !lacksChunks : head.contentLength != nil
    }
}
