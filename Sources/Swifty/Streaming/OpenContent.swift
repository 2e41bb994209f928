// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// The content of a response whose status is accepted, while the stages of the pipeline decide on its head.
struct OpenContent {
    let head: ResponseHead
    let content: any StreamedContent
    /// The admission of its request, which lasts as long as the content.
    let admission: Admission
    /// The deadline that the transport enforces: the load's, or that of its attempt, which the pipeline leaves earlier.
    let deadline: Deadline?

    /// The response with its content left out.
    var response: TransportResponse {
        TransportResponse(head: head, body: Data(), metrics: content.metrics)
    }
}

extension StreamedContent {
    /// Reads the content into memory, and ends the transfer at the limit.
    ///
    /// - Returns: The bytes up to the limit, and whether they are all.
    func collect(limit: Int) async throws(SwiftyError) -> (bytes: Data, isComplete: Bool) {
        var bytes = Data()
        while let part = try await next() {
            let room = limit - bytes.count
            bytes.append(part.prefix(room))
            if part.count > room {
                cancel()
                return (bytes, false)
            }
        }
        return (bytes, true)
    }
}
