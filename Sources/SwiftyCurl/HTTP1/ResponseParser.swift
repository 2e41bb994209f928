// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftySupport
import SwiftyTransport

/// The parser of one HTTP/1.x response: bytes in, events out (RFC 9112).
///
/// The bytes may come in pieces of any length. The parser depends on neither sockets nor clocks.
final class ResponseParser {
    enum Event {
        /// The head of an informational response (RFC 9110 §15.2); another head follows.
        case informational(ResponseHead)
        /// The head of the final response.
        case head(ResponseHead)
        /// The next part of the content, as a slice of the given bytes.
        case content(UnsafeRawBufferPointer)
        /// The response is complete. Any remaining bytes do not belong to it.
        ///
        /// The trailers are their field lines, each ending in a line feed; mostly empty.
        case end(trailers: [UInt8])
    }

    private enum State {
        case head
        /// The final head has arrived, and there is no content.
        case empty
        /// Content of a known length, of which this many bytes are to come.
        case length(Int)
        case chunks
        /// Content that ends with the connection.
        case untilClose
        case complete
    }

    private let rules: TransportSettings.Responses
    @exclusivity(unchecked) private var hasContent: Bool
    @exclusivity(unchecked) private var state = State.head
    @exclusivity(unchecked) private var head: HeadCollector
    @exclusivity(unchecked) private var chunks: ChunkedDecoder
    @exclusivity(unchecked) private var trailers: [UInt8] = []
    /// Whether the content ends with the connection, which looks the same if the connection is cut.
    @exclusivity(unchecked) private var isDelimitedByClose = false
    /// The beginning of a line whose end has not arrived.
    @exclusivity(unchecked) private var line: [UInt8] = []

    /// Makes a parser of the next response on a connection.
    ///
    /// - Parameters:
    ///   - method: The method of the request: the response to a HEAD has no content.
    ///   - rules: The rules and limits for the response, apart from the limit of its content.
    init(method: HTTPRequest.Method, rules: TransportSettings.Responses) {
        self.rules = rules
        hasContent = method != .head
        head = HeadCollector(rules: rules, connectionVersion: .http1_1)
        chunks = ChunkedDecoder(rules: rules)
    }

    /// Prepares the parser for the response to the next request.
    func restart(method: HTTPRequest.Method) {
        hasContent = method != .head
        state = .head
        isDelimitedByClose = false
        head.restart(connectionVersion: .http1_1)
        chunks = ChunkedDecoder(rules: rules)
        trailers.removeAll()
        line.removeAll(keepingCapacity: true)
    }

    /// Consumes bytes up to the end of the next event and returns it; `nil` if all bytes were consumed before an event
    /// ended, or if the response is complete.
    func next(in bytes: inout UnsafeRawBufferPointer) throws(ResponseError) -> Event? {
        switch state {
        case .head: return try takeHead(&bytes)
        case .empty, .length(0): return end()
        case .length(let remaining): return takeContent(&bytes, remaining)
        case .chunks: return try takeChunks(&bytes)
        case .untilClose:
            if bytes.isEmpty { return nil }
            defer { bytes = UnsafeRawBufferPointer(rebasing: bytes[bytes.endIndex...]) }
            return .content(bytes)
        case .complete: return nil
        }
    }

    /// Handles the end of the connection. Returns whether it completes the response.
    func receiveEndOfConnection() -> Bool {
        guard case .untilClose = state else { return isComplete }
        state = .complete
        return true
    }

    var isComplete: Bool { if case .complete = state { true } else { false } }
}

extension ResponseParser {
    var stage: SwiftyError.Stage { head.stage }
    /// Whether any byte of a response has arrived.
    var hasBegun: Bool { head.byteCount > 0 || !line.isEmpty }
    /// The head as far as it has arrived; `nil` before its first line is complete.
    var partialHead: ResponseHead? { head.partialHead }
    /// The number of bytes of all heads and of the trailers.
    var headByteCount: Int { head.byteCount }
    var contentLength: Int? { head.contentLength }

    /// Whether the next bytes are content without chunked framing.
    var isInContent: Bool {
        switch state {
        case .length, .untilClose: true
        case .head, .empty, .chunks, .complete: false
        }
    }

    /// The number of bytes that can go to ``noteContent(_:)`` instead of being parsed.
    var plainByteCount: Int {
        switch state {
        case .length(let remaining): remaining
        case .untilClose: .max
        case .head, .empty, .chunks, .complete: 0
        }
    }

    /// Counts content that has arrived, fewer bytes than ``plainByteCount``.
    func noteContent(_ count: Int) {
        if case .length(let remaining) = state { state = .length(remaining - count) }
    }

    /// Whether the response has content, as far as its method and status say.
    var expectsContent: Bool { hasContent && !head.hasNoContent }

    /// Whether a complete response is known to be complete.
    var isCompletenessProven: Bool { !isDelimitedByClose }

    var keepAlive: KeepAliveHint { head.keepAlive }

    /// Whether the connection persists after the response (RFC 9112 §9.3), and no other reader could see the
    /// response's end elsewhere.
    var allowsReuse: Bool {
        isComplete && !isDelimitedByClose && head.allowsReuse() && !chunks.isAmbiguous
    }
}

extension ResponseParser {
    private func takeHead(_ bytes: inout UnsafeRawBufferPointer) throws(ResponseError) -> Event? {
        while let start = bytes.baseAddress {
            let length = ccurl_line_length(start, bytes.count)
            if length == 0 { break }
            let found = UnsafeRawBufferPointer(start: start, count: length)
            bytes = UnsafeRawBufferPointer(start: start + length, count: bytes.count - length)
            if let event = try take(line: found) { return event }
        }
        try keepBeginning(of: bytes)
        bytes = UnsafeRawBufferPointer(rebasing: bytes[bytes.endIndex...])
        return nil
    }

    /// Takes the end of a line, whose beginning may have arrived earlier.
    private func take(line end: UnsafeRawBufferPointer) throws(ResponseError) -> Event? {
        if line.isEmpty {
            if let error = head.append(end.bindMemory(to: UInt8.self)) { throw error }
        } else {
            line += end
            defer { line.removeAll(keepingCapacity: true) }
            let error = line.withUnsafeBufferPointer { head.append($0) }
            if let error { throw error }
        }
        return event()
    }

    /// Keeps the beginning of a line, whose size counts before its end arrives.
    private func keepBeginning(of bytes: UnsafeRawBufferPointer) throws(ResponseError) {
        line += bytes
        if let error = head.checkSize(ofIncompleteLine: line.count) { throw error }
    }

    /// The event of a head that the last line has ended, if it has.
    private func event() -> Event? {
        if head.isComplete {
            guard let complete = head.head else { return nil }
            state = stateAfterHead
            if case .untilClose = state { isDelimitedByClose = true }
            return .head(complete)
        }
        return head.isBetweenHeads ? head.partialHead.map { .informational($0) } : nil
    }

    /// The length of the content (RFC 9112 §6.3).
    private var stateAfterHead: State {
        guard hasContent, !head.hasNoContent else { return .empty }
        if head.isChunked { return .chunks }
        return head.contentLength.map { .length($0) } ?? .untilClose
    }

    private func takeContent(_ bytes: inout UnsafeRawBufferPointer, _ remaining: Int) -> Event? {
        if bytes.isEmpty { return nil }
        let content = UnsafeRawBufferPointer(rebasing: bytes.prefix(remaining))
        bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(remaining))
        state = .length(remaining - content.count)
        return .content(content)
    }

    private func takeChunks(_ bytes: inout UnsafeRawBufferPointer) throws(ResponseError) -> Event? {
        while let event = try chunks.next(in: &bytes) {
            switch event {
            case .content(let content): return .content(content)
            case .end: return end()
            case .trailer(let line):
                let error = line.withUnsafeBufferPointer { head.append($0) }
                if let error { throw error }
                keepTrailer(line)
            }
        }
        return nil
    }

    /// Keeps a line of the trailers. A folded one continues the line before (RFC 9112 §5.2).
    private func keepTrailer(_ line: [UInt8]) {
        guard line.first?.isSpaceOrTab == true else {
            trailers += line
            return
        }
        while let last = trailers.last, last == .carriageReturn || last == .lineFeed { trailers.removeLast() }
        trailers.append(.space)
        trailers += line.drop(while: \.isSpaceOrTab)
    }

    private func end() -> Event {
        state = .complete
        return .end(trailers: trailers)
    }
}
