// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// The origin of the parts that a sequence reads.
enum PartSource: Sendable {
    /// A response whose head has arrived.
    case open(ResponseStream)
    /// A request that each reading loads again.
    case load(NetworkResource)

    /// The open response, or that of a new load.
    nonisolated(nonsending) func open() async throws(SwiftyError) -> ResponseStream {
        switch self {
        case .open(let stream): stream
        case .load(let resource): try await resource.openStream()
        }
    }

    /// Whether the reader is the only one that holds the response, and ends the transfer when it is released.
    var isOwnedByReader: Bool {
        if case .load = self { true } else { false }
    }
}

/// One reading of the content: opens the response with the first part, and ends its transfer when it is released.
///
/// Each iterator has one. It is used by one task at a time.
final class PartReader: BatchReader {
    private let source: PartSource
    private var stream: ResponseStream?
    private var hasEnded = false

    init(_ source: PartSource) {
        self.source = source
    }

    deinit {
        if source.isOwnedByReader { stream?.cancel() }
    }

    /// Waits for the next part; `nil` at the end, and after an error.
    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        if hasEnded { return nil }
        do throws(SwiftyError) {
            let stream = try await openStream()
            if let part = try await stream.next() { return part }
            hasEnded = true
            return nil
        } catch {
            hasEnded = true
            throw error
        }
    }

    nonisolated(nonsending) func nextBatch() async throws(SwiftyError) -> [Data] {
        try await next().map { [$0] } ?? []
    }

    /// The media type of the content; `nil` before its head has arrived, and without one.
    var contentType: String? { stream?.head.headers[.contentType] }

    /// Ends the reading with an error in the content.
    ///
    /// - Returns: The error with the head and the request of the response.
    func fail(_ error: SwiftyError) -> SwiftyError {
        hasEnded = true
        stream?.cancel()
        return stream?.completing(error) ?? error
    }

    private nonisolated(nonsending) func openStream() async throws(SwiftyError) -> ResponseStream {
        if let stream { return stream }
        let stream = try await source.open()
        self.stream = stream
        return stream
    }
}

/// Reads the content byte by byte.
final class ByteReader: BatchReader {
    private let parts: PartReader

    init(_ source: PartSource) {
        parts = PartReader(source)
    }

    nonisolated(nonsending) func nextBatch() async throws(SwiftyError) -> [UInt8] {
        try await parts.next().map { [UInt8]($0) } ?? []
    }
}

extension ResponseStream {
    /// The error with the head, the request and the measurements of this response.
    func completing(_ error: SwiftyError) -> SwiftyError {
        error.completed(by: head, nil, summary: request.map(NetworkRequest.Summary.init), metrics: metrics)
    }
}
