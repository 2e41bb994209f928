// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

public import struct Foundation.Data

/// Content that has arrived completely, in one part.
public final class BufferedContent: StreamedContent {
    private let rest: Mutex<Data?>
    /// Always empty: a complete response has no trailers.
    public var trailers: HTTPFields { [:] }
    /// The measurements of the transfer.
    public let metrics: TransferMetrics

    /// Makes content from bytes in memory.
    public init(_ bytes: Data, metrics: TransferMetrics = TransferMetrics()) {
        rest = Mutex(bytes.isEmpty ? nil : bytes)
        self.metrics = metrics
    }

    /// Returns all bytes, and then `nil`.
    public func next() async throws(SwiftyError) -> Data? {
        rest.withLock { rest in
            defer { rest = nil }
            return rest
        }
    }

    /// Drops the bytes.
    public func cancel() {
        rest.withLock { $0 = nil }
    }
}

extension Transport {
    /// Sends the request with ``send(_:cancellation:)``: the whole content of both directions is held in memory.
    public func stream(
        _ request: NetworkRequest,
        content: (any ContentSource)?,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> StreamedResponse {
        var request = request
        if let content { request.body = NetworkRequest.Body(try await content.collect()) }
        let response = try await send(request, cancellation: cancellation)
        return StreamedResponse(head: response.head, content: BufferedContent(response.body, metrics: response.metrics))
    }
}

extension ContentSource {
    /// Reads the whole content.
    fileprivate func collect() async throws(SwiftyError) -> Data {
        var bytes = Data()
        do {
            while let part = try await next() { bytes += part }
        } catch {
            throw SwiftyError(.bodyUnreadable, stage: .send, reason: "the content cannot be read", underlying: error)
        }
        guard length ?? bytes.count == bytes.count else {
            throw SwiftyError(.bodyUnreadable, stage: .send, reason: "the content does not have its announced length")
        }
        return bytes
    }
}
