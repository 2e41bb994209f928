// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

extension TransferState {
    /// The treatment of a connection after the head of its response.
    struct ConnectionPolicy: Equatable {
        /// It must not be reused: the response was accepted although it is ambiguous.
        var forbidsReuse = false
        /// libcurl must report bytes behind the response, which it does in its debug text only.
        var needsExcessText = false
        /// The end of the connection ends the response, and TLS can tell whether it was intended.
        var needsProofOfEnd = false
    }

    /// The consequences of the head for the connection.
    var connectionPolicy: ConnectionPolicy {
        guard head.isComplete, head.isHTTP1 else { return ConnectionPolicy() }
        return ConnectionPolicy(
            forbidsReuse: forbidsReuse,
            needsExcessText: !hasContent || head.contentLength == 0,
            needsProofOfEnd: isSecure && hasContent && head.isDelimitedByClose
        )
    }

    /// Whether the response is provably complete, after a successful transfer.
    ///
    /// libcurl 7.88 ends an HTTP/2 stream without an error if the server violates the protocol. Only a length proves
    /// completeness then.
    var isCompletenessProven: Bool {
        guard head.isComplete, hasContent else { return head.isComplete }
        if head.isDelimitedByClose { return isEndAuthenticated }
        return head.isHTTP1 ? !lacksChunks : head.contentLength != nil
    }
}
