// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// A response whose head is accepted, and whose content is read while it arrives.
///
///     let response = try await Files.archive("v1").stream()
///     print(response.head["Content-Type"] ?? "unknown")
///     for try await part in response { digest.update(part) }
///
/// The content is decoded (gzip, deflate) and has no size limit. Only a small part of it is received ahead of the
/// reader, so a slow reader slows the server down. Content that was cut off ends in an error, and never in a success
/// with less content.
///
/// The content is read once, by one task at a time. Leaving the loop does not end the transfer, so that a second loop
/// continues after the first; cancelling the task, ``cancel()`` and the release of the last reference do. All methods
/// may be called from any thread.
public final class ResponseStream: AsyncSequence, Sendable {
    /// The parts of the content, as they arrive.
    public typealias Element = Data

    /// The status and the header fields.
    public let head: ResponseHead
    /// The request as it was sent; `nil` if the load was mocked.
    public let request: NetworkRequest?

    private let content: any StreamedContent
    private let measure: @Sendable () -> LoadMetrics

    /// Makes a stream. For network interfaces.
    ///
    /// - Parameters:
    ///   - head: The status and the header fields.
    ///   - request: The request as it was sent; `nil` if the load was mocked.
    ///   - content: The content. Its release, or its `cancel()`, must end the transfer.
    ///   - measure: Returns the measurements of the load so far.
    public init(
        head: ResponseHead,
        request: NetworkRequest? = nil,
        content: any StreamedContent,
        measure: @escaping @Sendable () -> LoadMetrics = { LoadMetrics() }
    ) {
        self.head = head
        self.request = request
        self.content = content
        self.measure = measure
    }

    /// Makes a stream of a response in memory.
    package convenience init(buffered response: NetworkResponse) {
        let head = response.head ?? ResponseHead(statusCode: 200)
        let metrics = response.metrics
        self.init(
            head: head,
            request: response.request,
            content: BufferedContent(response.data ?? Data()),
            measure: { metrics }
        )
    }

    /// Waits for the next part, which is not empty; `nil` once the content is complete.
    ///
    /// Runs on the caller's actor, as all reading of a stream does, with the decoding of the content.
    ///
    /// - Throws: ``SwiftyError`` if the transfer or the decoding fails, and with the code
    ///   ``SwiftyError/Code/cancelled`` if the stream was cancelled; the same error on every further call.
    public nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        try await content.next()
    }

    /// Ends the transfer: the connection is closed, or its stream reset. Has no effect after the end.
    public func cancel() {
        content.cancel()
    }

    /// The status code.
    public var statusCode: Int { head.statusCode }

    /// The `Content-Type` of the response (RFC 9110 §8.3), with its parameters; `nil` without one.
    public var contentType: String? { head.headers[.contentType] }

    /// The trailer fields (RFC 9110 §6.5), once the content is complete; empty until then, and if there are none.
    public var trailers: HTTPFields { content.trailers }

    /// The measurements of the load so far; complete once the content has ended.
    public var metrics: LoadMetrics { measure() }

    /// An iterator, which reads the rest of the content.
    public func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    /// Reads the parts of the content.
    public struct Iterator: AsyncIteratorProtocol {
        let stream: ResponseStream

        /// Waits for the next part; see ``ResponseStream/next()``.
        public mutating func next() async throws(SwiftyError) -> Data? {
            try await stream.next()
        }

        /// Waits for the next part; see ``ResponseStream/next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SwiftyError) -> Data? {
            try await stream.next()
        }
    }
}

extension ResponseStream: CustomStringConvertible, CustomReflectable {
    /// One line without secrets: the head.
    public var description: String { "\(head.description(Redactor(request?.secrets))), streamed" }

    /// The description alone, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
