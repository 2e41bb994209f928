// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// Collects the lines of a response's head and judges them as they arrive.
///
/// libcurl accepts much that RFC 9112 forbids and reports a response whose head was cut off as complete. Here a head is
/// complete only after its empty line, and framing that two readers could understand differently is refused.
struct HeadCollector {
    /// What was wrong with a line.
    enum Flaw: Equatable {
        case malformed(String)
        case tooLarge(String)
    }

    private enum Part {
        case statusLine
        case fields
        case complete
    }

    private let limit: Int
    private var part = Part.statusLine
    private var status: StatusLine?
    private var fields: [UInt8] = []
    private var framing = Framing()

    /// All bytes that were seen, those of earlier heads and of trailers included.
    private(set) var byteCount = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether any part of a head arrived.
    var hasBegun: Bool { status != nil }
    /// Whether the head of the final response arrived with its empty line.
    var isComplete: Bool { part == .complete }
    /// The length of the content as the server announced it.
    var contentLength: Int? { framing.contentLength }
    /// The status code, once its line arrived.
    var statusCode: Int? { status?.code }

    /// Whether the response came in HTTP/1, which has one exchange at a time on a connection.
    var isExclusive: Bool { status?.version == .http1_1 || status?.version == .http1_0 }

    /// The head, if it is complete.
    var head: ResponseHead? { isComplete ? makeHead() : nil }

    /// The head as far as it arrived.
    var partialHead: ResponseHead? { makeHead() }

    private func makeHead() -> ResponseHead? {
        status.map {
            ResponseHead(
                statusCode: $0.code,
                reasonPhrase: $0.reasonPhrase,
                httpVersion: $0.version,
                rawFields: fields
            )
        }
    }

    /// Forgets everything: the request is sent again.
    mutating func restart() {
        self = HeadCollector(limit: limit)
    }

    /// Takes one line, with the CRLF or LF that ends it, and returns what is wrong with it.
    mutating func append(_ line: UnsafeBufferPointer<UInt8>) -> Flaw? {
        byteCount &+= line.count
        if byteCount > limit { return .tooLarge("the response's header fields exceed \(limit) bytes") }
        switch part {
        case .statusLine: return begin(line)
        case .fields: return appendField(line)
        case .complete: return appendAfterHead(line)
        }
    }

    private mutating func begin(_ line: UnsafeBufferPointer<UInt8>) -> Flaw? {
        guard let status = StatusLine(line) else { return .malformed("the response's first line is not a status line") }
        if status.code == 101 { return .malformed("the server switched protocols (101) although it was not asked to") }
        self.status = status
        fields.removeAll(keepingCapacity: true)
        framing = Framing()
        part = .fields
        return nil
    }

    /// After a head come the next head, if this one was informational, or trailers, which are counted and left out.
    private mutating func appendAfterHead(_ line: UnsafeBufferPointer<UInt8>) -> Flaw? {
        guard StatusLine.isStart(of: line) else { return nil }
        return .malformed("a second status line follows the response's head")
    }

    private mutating func appendField(_ line: UnsafeBufferPointer<UInt8>) -> Flaw? {
        guard let first = line.first else { return nil }
        if first == 0x0D || first == 0x0A { return endHead() }
        if first == 0x20 || first == 0x09 { return unfold(line) }
        if let flaw = framing.check(line) { return flaw }
        if fields.isEmpty { fields.reserveCapacity(512) }
        fields.append(contentsOf: line)
        return nil
    }

    private mutating func endHead() -> Flaw? {
        guard let status, !status.isInformational else {
            part = .statusLine
            return nil
        }
        part = .complete
        return framing.conflict
    }

    /// Joins a folded line to the one before (RFC 9112 §5.2: replace the fold with spaces).
    private mutating func unfold(_ line: UnsafeBufferPointer<UInt8>) -> Flaw? {
        guard !fields.isEmpty else { return .malformed("the response's first header field starts with a space") }
        if framing.isLastLineFraming { return .malformed("a field that frames the response is folded") }
        while let last = fields.last, last == 0x0D || last == 0x0A { fields.removeLast() }
        fields.append(.space)
        fields.append(contentsOf: line.drop { $0 == 0x20 || $0 == 0x09 })
        return nil
    }
}
