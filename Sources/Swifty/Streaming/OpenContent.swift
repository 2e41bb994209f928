// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

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

/// The content of a response that arrives while the stages of the load decide on its head, or while it is collected.
///
/// A class, so that it costs a load that is not streamed one empty reference.
final class OpenContent: Sendable {
    let head: ResponseHead
    let content: any StreamedContent
    /// The deadline that the transport enforces: the load's, or that of its attempt, which the pipeline leaves earlier.
    let deadline: Deadline?
    /// The admission of its request, which lasts as long as the transfer; `nil` once it is released.
    private let admission: Mutex<Admission?>
    private let admissions: AdmissionQueue

    init(
        head: ResponseHead,
        content: any StreamedContent,
        deadline: Deadline?,
        admission: Admission,
        of admissions: AdmissionQueue
    ) {
        self.head = head
        self.content = content
        self.deadline = deadline
        self.admission = Mutex(admission)
        self.admissions = admissions
    }

    /// Releases the admission with the outcome of its request; only the first call has an effect.
    func release(_ outcome: AdmissionOutcome) {
        if let admission = admission.withLock({ $0.take() }) { admissions.release(admission, outcome) }
    }

    /// Has the admission end with the transfer, whether or not what has arrived is read by then.
    func releaseWithTransfer() {
        _ = content.whenEnded { [weak self] in self?.release(afterTransferWith: $0) }
    }

    /// Releases the admission, because the transfer has ended.
    func release(afterTransferWith error: SwiftyError?) {
        // It is cancelled by its load, for example because the content is too large; then the load knows the outcome.
        if error?.code == .cancelled { return }
        release(error.map { .failed($0) } ?? .responded(response))
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
