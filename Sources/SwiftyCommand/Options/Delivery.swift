// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// The outcome of a load, and where its content went.
struct Delivery {
    /// Content that was written as it arrived, and is not in memory.
    struct Passed: Equatable {
        /// The path of the file; `nil` for standard output.
        var path: String?
        var byteCount = 0
        /// The digest, if it was computed.
        var sha256: String?
        /// The number of bytes that an earlier download had left.
        var resumedFrom = 0
        /// Whether an earlier download had left a file or a part of one.
        var hadEarlier = false
    }

    /// The outcome. It has content only if that is in memory.
    var outcome: NetworkResponse
    /// The content that is not in memory; `nil` if there was none.
    var passed: Passed?
    /// Whether request, head and content are printed already.
    var isPrinted = false
    /// The number of bytes that a failed download has left for the next one.
    var keptByteCount = 0
}
