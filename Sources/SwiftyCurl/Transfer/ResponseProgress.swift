// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The progress of a transfer's request and response, independent of the version of HTTP.
struct ResponseProgress {
    /// Whether the request was sent.
    var sent = SwiftyError.SentState.notSent
    /// The number of bytes of the request's head and content that were sent.
    var requestHeadByteCount = 0
    var requestContentByteCount = 0

    /// The head; after a failure, the part of it that has arrived.
    var head: ResponseHead?
    /// Whether the final head has arrived completely.
    var isHeadComplete = false
    /// The announced length of the content; `nil` if none was announced.
    var contentLength: Int?
    /// The number of bytes of all heads and of the trailers.
    var headByteCount = 0
    /// The number of bytes of content that have arrived.
    var contentByteCount = 0
    /// The trailer field lines of a streamed response.
    var trailers: [UInt8] = []
    /// Whether the response is known to be complete, once it is complete.
    var isCompletenessProven = false
}
