// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

extension NetworkResource {
    /// Asks for the number of bytes of the content with a HEAD request, without loading it.
    ///
    /// - Returns: The number of bytes without any compression; `nil` if the server does not say it.
    /// - Throws: ``SwiftyError`` as ``load()``.
    public func contentLength() async throws(SwiftyError) -> Int? {
        var draft = self.draft
        draft.method = .head
        draft.content = nil
        draft.contentType = nil
        let request = NetworkResource.make(of: draft, networkInterface: networkInterface)
        if !draft.headers.contains(.acceptEncoding) { request.header(.acceptEncoding, "identity") }
        return try await request.load().head?.contentLength
    }

    /// Loads parts of the content with one request (RFC 9110 §14.1.2).
    ///
    /// The parts are held in memory. A server that does not support ranges sends the whole content, which is returned
    /// as one part. A range after the end of the content has no part; one that extends past the end has a shorter part.
    ///
    ///     let parts = try await Files.archive("v1").byteRanges([0..<100, 5000..<5100])
    ///
    /// - Parameter ranges: The ranges of 1 to 100 parts.
    /// - Throws: ``SwiftyError`` as ``load()``, with the code ``SwiftyError/Code/rangeMismatch`` if the server sends
    ///   bytes that were not asked for, and ``SwiftyError/Code/malformedResponse`` if its parts cannot be parsed.
    public func byteRanges(_ ranges: [Range<Int>]) async throws(SwiftyError) -> [BytePart] {
        let request = copy()
        request.modify { draft in
            draft.setRanges(ranges)
            draft.verifiesRanges = false
            if !draft.headers.contains(.acceptEncoding) {
                draft.setHeader(.acceptEncoding, "identity", replacing: true)
            }
        }
        let response = try await request.load()
        let (head, data) = (response.head ?? ResponseHead(statusCode: 200), response.data ?? Data())
        do throws(RangeFailure) {
            return try BytePart.parts(of: head, data, within: ranges)
        } catch {
            var failure = SwiftyError(error.code, stage: .content, sent: .responded, reason: error.reason)
            failure.request = request.draft.summary
            throw failure.withResponse(head, content: nil)
        }
    }
}

/// The failure of a response to a request for ranges.
struct RangeFailure: Error, Equatable {
    let code: SwiftyError.Code
    let reason: String

    static func malformed(_ reason: String) -> RangeFailure { RangeFailure(code: .malformedResponse, reason: reason) }
    static func mismatch(_ reason: String) -> RangeFailure { RangeFailure(code: .rangeMismatch, reason: reason) }
}

extension BytePart {
    /// The parts of a response, all of which lie within the ranges that were asked for.
    static func parts(
        of head: ResponseHead,
        _ data: Data,
        within asked: [Range<Int>]
    ) throws(RangeFailure) -> [BytePart] {
        let type = head.headers[.contentType]
        guard head.statusCode == 206 else {
            return [BytePart(range: 0..<data.count, total: data.count, contentType: type, data: data)]
        }
        let spans = merged(asked)
        if let boundary = type.flatMap(ByteRangesParser.boundary) {
            var parser = ByteRangesParser(boundary: boundary, allowed: spans)
            try parser.consume(data)
            return try parser.finish()
        }
        guard let content = ContentRange(head), let bytes = content.bytes else {
            throw .mismatch("the response has no valid Content-Range")
        }
        try check(bytes, within: spans)
        guard bytes.count == data.count else {
            throw .mismatch("the response has \(data.count) bytes, and its range \(bytes.count)")
        }
        return [BytePart(range: bytes, total: content.total, contentType: type, data: data)]
    }

    static func check(_ bytes: Range<Int>, within spans: [Range<Int>]) throws(RangeFailure) {
        guard !spans.contains(where: { $0.lowerBound <= bytes.lowerBound && bytes.upperBound <= $0.upperBound })
        else { return }
        throw .mismatch("the bytes \(bytes) were not asked for")
    }

    /// The ranges in order. Ranges that touch or overlap are merged, because a server may send them as one part.
    private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { spans, range in
            if let last = spans.last, range.lowerBound <= last.upperBound {
                spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                spans.append(range)
            }
        }
    }
}
