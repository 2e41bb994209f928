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

    /// Returns all bytes, and then `nil`. Runs on the caller's actor.
    public nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        rest.withLock { rest in
            defer { rest = nil }
            return rest
        }
    }

    /// Calls the closure immediately.
    public func whenEnded(_ handler: @escaping @Sendable (SwiftyError?) -> Void) -> Bool {
        handler(nil)
        return true
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
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> StreamedResponse {
        let response = try await send(try await request.collectingContent(), cancellation: cancellation)
        return StreamedResponse(
            head: response.head,
            content: BufferedContent(response.content, metrics: response.metrics)
        )
    }
}

extension NetworkRequest {
    /// The request with the content of its source in memory, for transports that do not send from a source.
    ///
    /// - Throws: The ``SwiftyError`` of the source, or ``SwiftyError/Code/contentUnreadable`` with the source's error
    ///   as the underlying one.
    public func collectingContent() async throws(SwiftyError) -> NetworkRequest {
        guard case .source(let source) = content else { return self }
        defer { source.cancel() }
        var request = self
        request.content = .data(try await source.collect())
        return request
    }
}

extension ContentSource {
    fileprivate func collect() async throws(SwiftyError) -> Data {
        var bytes = Data()
        do {
            while let part = try await next() { bytes += part }
        } catch let error as SwiftyError {
            throw error
        } catch {
            throw SwiftyError(.contentUnreadable, stage: .send, reason: "the content cannot be read", underlying: error)
        }
        guard length ?? bytes.count == bytes.count else {
            throw SwiftyError(
                .contentUnreadable,
                stage: .send,
                reason: "the content does not have its announced length"
            )
        }
        return bytes
    }
}
