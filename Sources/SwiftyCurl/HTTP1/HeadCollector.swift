// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftySupport
import SwiftyTransport

/// Collects the lines of a response's head and validates them as they arrive.
///
/// A head is complete only after its empty line (RFC 9112 §2.1), and framing that two readers could understand
/// differently is an error. The fields of HTTP/2 are converted to lines, so that the same rules apply to them.
struct HeadCollector {
    private enum Part {
        case statusLine
        case fields
        case complete
    }

    private let rules: TransportSettings.Responses
    /// The HTTP version of the connection; `nil` if unknown.
    private let connectionVersion: ResponseHead.HTTPVersion?
    private var part = Part.statusLine
    private var status: StatusLine?
    private var fields: [UInt8] = []
    private var framing: Framing
    private var counts = Counts()
    private var hasBareReturn = false
    /// Whether a folded line looks like a field to a reader that does not unfold it.
    private var hasFoldedField = false
    private var hasTrailer = false

    init(rules: TransportSettings.Responses, connectionVersion: ResponseHead.HTTPVersion? = nil) {
        self.rules = rules
        self.connectionVersion = connectionVersion
        framing = Framing(strictness: rules.strictness)
    }

    /// The part of the response that comes next: the beginning of the head, its rest, or the content.
    var stage: SwiftyError.Stage {
        switch part {
        case .statusLine: .firstByte
        case .fields: .head
        case .complete: .content
        }
    }
    /// Whether the last line ended the head of an informational response.
    var isBetweenHeads: Bool { part == .statusLine && status != nil }
    /// Whether the head of the final response has arrived, including its empty line.
    var isComplete: Bool { part == .complete }
    /// The announced length of the content.
    var contentLength: Int? { framing.contentLength }
    var isChunked: Bool { framing.isChunked }
    /// The number of all bytes, including earlier heads and trailers.
    var byteCount: Int { counts.bytes }
    /// Whether something was accepted that another reader may understand differently.
    var isAmbiguous: Bool { framing.isAmbiguous || hasBareReturn || hasFoldedField }

    /// Whether the status allows no content (RFC 9110 §6.4.1).
    var hasNoContent: Bool { status?.code == 204 || status?.code == 304 }

    /// What the server says about how long the connection lives.
    var keepAlive: KeepAliveHint { framing.keepAlive }

    /// Whether the connection persists, and nothing was ambiguous. Mutating, so that nothing is copied for the call.
    mutating func allowsReuse() -> Bool { framing.isPersistent(status?.version ?? .http1_0) && !isAmbiguous }

    /// The head, if it is complete.
    var head: ResponseHead? { isComplete ? partialHead : nil }

    /// The part of the head that has arrived.
    var partialHead: ResponseHead? {
        status.map {
            ResponseHead(
                statusCode: $0.code,
                reasonPhrase: $0.reasonPhrase,
                httpVersion: $0.version,
                rawFields: fields
            )
        }
    }

    /// Resets everything: the request is sent, perhaps again, on a connection that speaks this version.
    mutating func restart(connectionVersion: ResponseHead.HTTPVersion? = nil) {
        self = HeadCollector(rules: rules, connectionVersion: connectionVersion)
    }

    /// Processes one line, including its CRLF or LF, and returns its error.
    mutating func append(_ line: UnsafeBufferPointer<UInt8>) -> ResponseError? {
        if let error = counts.add(line.count, isTrailer: isComplete, rules) ?? checkBytes(line) { return error }
        switch part {
        case .statusLine: return begin(line)
        case .fields: return appendField(line)
        case .complete: return checkTrailer(line)
        }
    }

    /// The error of a line that has become too long before its end has arrived.
    func checkSize(ofIncompleteLine count: Int) -> ResponseError? {
        var counts = counts
        return counts.add(count, isTrailer: isComplete, rules)
    }

    private mutating func checkBytes(_ line: UnsafeBufferPointer<UInt8>) -> ResponseError? {
        guard let base = line.baseAddress else { return nil }
        let result = ccurl_check_line(base, line.count)
        if result == CCURL_LINE_CLEAN { return nil }
        if result == CCURL_LINE_HAS_NUL { return .malformed("a line of the response's head contains NUL") }
        hasBareReturn = true
        return rules.strictness == .lenient ? nil : .malformed("a line of the response's head contains a bare CR")
    }

    private mutating func begin(_ line: UnsafeBufferPointer<UInt8>) -> ResponseError? {
        guard let status = StatusLine(line) else { return .malformed("the response's first line is not a status line") }
        if let connectionVersion, connectionVersion.isHTTP1 != status.version.isHTTP1 {
            return .malformed("the response's first line names a version of HTTP that its connection does not speak")
        }
        if status.code == 101 { return .malformed("the server switched protocols (101) although it was not asked to") }
        self.status = status
        fields.removeAll(keepingCapacity: true)
        framing = Framing(strictness: rules.strictness)
        part = .fields
        return status.isInformational ? counts.addInformational(rules) : nil
    }

    /// After the final head come only trailers, which are counted and dropped.
    private mutating func checkTrailer(_ line: UnsafeBufferPointer<UInt8>) -> ResponseError? {
        if StatusLine.isStart(of: line) { return .malformed("a second status line follows the response's head") }
        guard let first = line.first, !Self.endsHead(line) else { return nil }
        defer { hasTrailer = true }
        if first.isSpaceOrTab {
            return hasTrailer ? nil : .malformed("the response's first trailer starts with a space")
        }
        return framing.checkTrailer(line)
    }

    private mutating func appendField(_ line: UnsafeBufferPointer<UInt8>) -> ResponseError? {
        guard let first = line.first else { return nil }
        if Self.endsHead(line) { return endHead() }
        if first.isSpaceOrTab { return unfold(line) }
        if let error = framing.check(line) { return error }
        if fields.isEmpty { fields.reserveCapacity(512) }
        if hasBareReturn { keep(line[...]) } else { fields.append(contentsOf: line) }
        return nil
    }

    /// Whether the line is the empty one that ends a head. Lenient rules accept a bare CR, and then treat every line
    /// that begins with one as empty.
    static func endsHead(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        line.first == .carriageReturn || line.first == .lineFeed
    }

    private mutating func endHead() -> ResponseError? {
        guard let status, !status.isInformational else {
            part = .statusLine
            return nil
        }
        if let error = framing.end(status.version) { return error }
        part = .complete
        return nil
    }

    /// Joins a folded line to the one before (RFC 9112 §5.2: replace the fold with spaces).
    private mutating func unfold(_ line: UnsafeBufferPointer<UInt8>) -> ResponseError? {
        guard !fields.isEmpty else { return .malformed("the response's first header field starts with a space") }
        if line.contains(.colon) { hasFoldedField = true }
        if framing.isLastLineFraming { return .malformed("a field that frames the response is folded") }
        framing.noteFold()
        while let last = fields.last, last == .carriageReturn || last == .lineFeed { fields.removeLast() }
        fields.append(.space)
        keep(line.drop(while: \.isSpaceOrTab))
        return nil
    }

    private mutating func keep(_ line: Slice<UnsafeBufferPointer<UInt8>>) {
        guard hasBareReturn else { return fields.append(contentsOf: line) }
        let end = line.lastIndex { $0 != .carriageReturn && $0 != .lineFeed }.map { $0 + 1 } ?? line.startIndex
        fields.append(contentsOf: line[..<end].lazy.map { $0 == .carriageReturn ? .space : $0 })
        fields.append(contentsOf: line[end...])
    }
}

extension ResponseHead.HTTPVersion {
    fileprivate var isHTTP1: Bool { self == .http1_1 || self == .http1_0 }
}
