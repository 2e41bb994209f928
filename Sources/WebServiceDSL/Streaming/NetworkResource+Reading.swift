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
    ///
    /// - Parameter function: The calling function, filled in by the compiler.
    public func chunks(function: StaticString = #function) -> ResponseStream.Chunks {
        ResponseStream.Chunks(source: partSource(function))
    }

    /// The content byte by byte.
    ///
    /// - Parameter function: The calling function, filled in by the compiler.
    public func bytes(function: StaticString = #function) -> ResponseStream.Bytes {
        ResponseStream.Bytes(source: partSource(function))
    }

    /// The content as lines of text.
    ///
    ///     for try await line in GitHub.log("build").lines() { print(line) }
    ///
    /// A line ends with LF or CRLF, which is not part of it. A last line without an end also counts, unless it is
    /// empty. The charset is that of Content-Type, as for ``NetworkResponse/text()``; bytes that are not text in it end
    /// the sequence with ``SwiftyError/Code/decodingFailed``.
    ///
    /// - Parameters:
    ///   - limit: The largest line in bytes; a larger one ends the sequence with
    ///     ``SwiftyError/Code/elementTooLarge``. No more than that is held in memory.
    ///   - function: The calling function, filled in by the compiler.
    public func lines(limit: Int = 1 << 20, function: StaticString = #function) -> ResponseStream.Lines {
        ResponseStream.Lines(source: partSource(function), limit: limit)
    }

    /// The content as lines of bytes, divided like ``lines(limit:function:)``. The fastest form for lines.
    ///
    /// A line is a slice of the part that it arrived in, and keeps that part in memory.
    ///
    /// - Parameters:
    ///   - limit: The largest line in bytes.
    ///   - function: The calling function, filled in by the compiler.
    public func byteLines(limit: Int = 1 << 20, function: StaticString = #function) -> ResponseStream.ByteLines {
        ResponseStream.ByteLines(source: partSource(function), limit: limit)
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
    ///   - decoder: The decoder; that of the ``WebService`` if `nil`.
    ///   - limit: The largest line in bytes.
    ///   - function: The calling function, filled in by the compiler.
    public func jsonLines<Value: Decodable & Sendable>(
        _ type: Value.Type,
        decoder: JSONDecoder? = nil,
        limit: Int = 1 << 20,
        function: StaticString = #function
    ) -> ResponseStream.JSONLines<Value> {
        ResponseStream.JSONLines(
            source: partSource(function),
            decoder: decoder ?? draft.coding.decoder,
            limit: limit
        )
    }

    /// The source of a sequence: an independent copy of the request.
    func partSource(_ function: StaticString?) -> PartSource {
        .load(copy(), in: function)
    }
}

extension NetworkResource {
    /// Loads the request, and calls a closure with each part of the content.
    ///
    ///     try await Files.archive("v1").read { part in try await archive.append(part) }
    ///
    /// The next part is read when the closure has returned, so a slow closure slows the server down.
    ///
    /// - Parameters:
    ///   - function: The calling function, filled in by the compiler.
    ///   - receive: Receives the parts in order; none is empty. An error that it throws ends the transfer.
    /// - Returns: The head of the response.
    /// - Throws: ``SwiftyError`` of the load, or the error of the closure.
    @discardableResult
    public nonisolated(nonsending) func read(
        function: StaticString = #function,
        _ receive: (Data) async throws -> Void
    ) async throws -> ResponseHead {
        let stream = try await stream(in: function)
        try await stream.read(receive)
        return stream.head
    }

    /// Loads the request and reads the content without keeping it, for its head and its measurements alone.
    ///
    /// The connection can then serve another request.
    ///
    /// - Parameter function: The calling function, filled in by the compiler.
    /// - Returns: The response, without content.
    /// - Throws: ``SwiftyError`` of the load.
    @discardableResult
    public nonisolated(nonsending) func discard(
        function: StaticString = #function
    ) async throws(SwiftyError) -> NetworkResponse {
        let stream = try await stream(in: function)
        try await stream.discard()
        return NetworkResponse(head: stream.head, data: nil, request: stream.request, metrics: stream.metrics)
    }
}
