// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// The response to one request of a load.
enum Received {
    /// All of it.
    case whole(TransportResponse)
    /// Its head; the content is still arriving.
    case open(OpenContent)

    var head: ResponseHead {
        switch self {
        case .whole(let response): response.head
        case .open(let open): open.head
        }
    }

    /// The response, without content that is still arriving.
    var response: TransportResponse {
        switch self {
        case .whole(let response): response
        case .open(let open): open.response
        }
    }

    /// The content that is still arriving; `nil` if the response is whole.
    var open: OpenContent? {
        if case .open(let open) = self { open } else { nil }
    }
}

/// The response of a load that its last stages judge, and the content that is still arriving; `nil` if it is whole.
struct LoadedResponse {
    var response: NetworkResponse
    var open: OpenContent?
}

/// The content of a response whose status is accepted, while the stages of the load decide on its head.
///
/// A class, so that it costs a load that is not streamed one empty reference.
final class OpenContent {
    let head: ResponseHead
    let content: any StreamedContent
    /// The admission of its request, which lasts as long as the content.
    let admission: Admission
    /// The deadline that the transport enforces: the load's, or that of its attempt, which the pipeline leaves earlier.
    let deadline: Deadline?

    init(head: ResponseHead, content: any StreamedContent, admission: Admission, deadline: Deadline?) {
        self.head = head
        self.content = content
        self.admission = admission
        self.deadline = deadline
    }

    /// The response with its content left out.
    var response: TransportResponse {
        TransportResponse(head: head, content: Data(), metrics: content.metrics)
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
