// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// A transfer's request and response as far as they have got, whatever the version of HTTP.
struct ResponseProgress {
    /// Whether the request was sent.
    var sent = SwiftyError.SentState.notSent
    /// The number of bytes of the request's head and content that were sent.
    var requestHeadByteCount = 0
    var requestContentByteCount = 0

    /// The head; of a failed transfer, what has arrived of it.
    var head: ResponseHead?
    /// Whether the final head has arrived completely.
    var isHeadComplete = false
    /// The announced length of the content; `nil` if none was announced.
    var contentLength: Int?
    /// The number of bytes of all heads and of the trailers.
    var headByteCount = 0
    /// The number of bytes of content that have arrived.
    var contentByteCount = 0
    /// The field lines behind the content of a streamed response.
    var trailers: [UInt8] = []
    /// Whether the response is known to be complete, once it is complete.
    var isCompletenessProven = false
}
