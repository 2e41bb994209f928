// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Streamed forms of the content. A sequence describes the request as it was when the sequence was made. Each iterator
/// loads it again with its first element; leaving the loop, which releases the iterator, and cancelling the task end
/// the transfer. A slow loop slows the server down.
extension NetworkResource {
    /// The parts of the content, as they arrive.
    ///
    ///     for try await part in Files.archive("v1").chunks() { digest.update(part) }
    public func chunks() -> NetworkSequence<Data> {
        partSource.chunks
    }

    /// The content byte by byte.
    public func bytes() -> NetworkSequence<UInt8> {
        partSource.bytes
    }

    /// The content as lines of text.
    ///
    ///     for try await line in GitHub.log("build").lines() { print(line) }
    ///
    /// A line ends with LF or CRLF, which is not part of it. A last line without an end also counts, unless it is
    /// empty. The charset is that of Content-Type, as for ``NetworkResponse/text()``; bytes that are not text in it end
    /// the sequence with ``SwiftyError/Code/decodingFailed``.
    ///
    /// - Parameter limit: The largest line in bytes; a larger one ends the sequence with
    ///   ``SwiftyError/Code/elementTooLarge``. No more than that is held in memory.
    public func lines(limit: Int = 1 << 20) -> NetworkSequence<String> {
        partSource.lines(limit: limit)
    }

    /// The content as lines of bytes, divided like ``lines(limit:)``. The fastest form for lines.
    ///
    /// A line is a slice of the part that it arrived in, and keeps that part in memory.
    ///
    /// - Parameter limit: The largest line in bytes.
    public func byteLines(limit: Int = 1 << 20) -> NetworkSequence<Data> {
        partSource.byteLines(limit: limit)
    }

    /// The values of content with one JSON text per line: NDJSON, JSON Lines, and JSON text sequences (RFC 7464) with
    /// one line per text.
    ///
    ///     for try await row in Export.rows().jsonLines(Row.self) { table.insert(row) }
    ///
    /// Blank lines are skipped. A line that is not such a value ends the sequence with
    /// ``SwiftyError/Code/decodingFailed``, whose reason has the number of the line.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - place: The place of the value in each line; `nil` for the whole line.
    ///   - decoder: The decoder; that of the ``WebService`` if `nil`.
    ///   - limit: The largest line in bytes.
    public func jsonLines<Value: Decodable & Sendable>(
        _ type: Value.Type,
        at place: ContentPlace? = nil,
        decoder: JSONDecoder? = nil,
        limit: Int = 1 << 20
    ) -> NetworkSequence<Value> {
        partSource.jsonLines(decoder.map { JSONFormat(decoder: $0) } ?? draft.coding.json, at: place, limit: limit)
    }

    /// The source of a sequence: an independent copy of the request.
    var partSource: PartSource { .load(copy()) }
}

extension NetworkResource {
    /// Loads the request, and calls a closure with each part of the content.
    ///
    ///     try await Files.archive("v1").read { part in try await archive.append(part) }
    ///
    /// The next part is read when the closure has returned, so a slow closure slows the server down.
    ///
    /// - Parameter receive: Receives the parts in order; none is empty. An error that it throws ends the transfer.
    /// - Returns: The head of the response.
    /// - Throws: ``SwiftyError`` of the load, or the error of the closure.
    @discardableResult
    public nonisolated(nonsending) func read(_ receive: (Data) async throws -> Void) async throws -> ResponseHead {
        let stream = try await openStream()
        try await stream.read(receive)
        return stream.head
    }

    /// Loads the request and reads the content without keeping it, for its head and its measurements alone.
    ///
    /// The connection can then serve another request.
    ///
    /// - Returns: The response, without content.
    /// - Throws: ``SwiftyError`` of the load.
    @discardableResult
    public nonisolated(nonsending) func discard() async throws(SwiftyError) -> NetworkResponse {
        let stream = try await openStream()
        try await stream.discard()
        return NetworkResponse(
            of: draft,
            head: stream.head,
            data: Data(),
            request: stream.request,
            metrics: stream.metrics
        )
    }
}
