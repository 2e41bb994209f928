// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftySupport
import SwiftyTransport

/// HTTP/2 stream details parsed from libcurl's debug text; no API reports them.
struct StreamRemarks: Equatable {
    private static let streamPrefix = Array("Using Stream ID: ".utf8)
    /// From 8.3.0 on: `[HTTP/2] [5] OPENED stream for https://example.com/`.
    private static let openedPrefix = Array("[HTTP/2] [".utf8)
    private static let openedMark = Array("] OPENED stream".utf8)
    private static let goAwayMark = Array("GOAWAY, error=".utf8)
    private static let lastStreamMark = Array("last_stream=".utf8)
    private static let refusedMark = Array("REFUSED_STREAM, retrying".utf8)

    /// The last stream that the server processes (RFC 9113 §6.8: GOAWAY); `nil` if it has set no bound.
    var lastStream: Int?
    /// Whether the server refused the request's stream, so that the request was not processed (RFC 9113 §8.7). libcurl
    /// reports this before it repeats the request or fails.
    private(set) var isRefused = false
    /// The stream of the request; `nil` if it has none.
    private(set) var stream: Int?

    /// Whether the server does not process the request's stream.
    var isBeyondLast: Bool {
        guard let stream, let lastStream else { return false }
        return stream > lastStream
    }

    /// Forgets the stream of the previous attempt.
    mutating func restart() {
        self = StreamRemarks()
    }

    /// Parses one line of debug text.
    mutating func note(_ text: UnsafeBufferPointer<UInt8>) {
        if text.starts(with: Self.streamPrefix) {
            stream = Self.number(text.dropFirst(Self.streamPrefix.count))
        } else if text.starts(with: Self.openedPrefix) {
            noteOpened(text.dropFirst(Self.openedPrefix.count))
        } else if text.starts(with: Self.refusedMark) {
            isRefused = true
        } else if let last = Self.lastStream(text) {
            lastStream = last
        }
    }

    /// Other lines with the same beginning list the request's fields.
    private mutating func noteOpened(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
        guard text.drop(while: \.isASCIIDigit).starts(with: Self.openedMark) else { return }
        stream = Self.number(text)
    }

    /// The last stream of a line on GOAWAY, whose first word differs between versions.
    private static func lastStream(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard text.first == UInt8(ascii: "r"), let start = text.firstRange(of: goAwayMark)?.upperBound,
            let mark = text[start...].firstRange(of: lastStreamMark)
        else { return nil }
        return number(text[mark.upperBound...])
    }

    private static func number(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        Int(String(decoding: text.prefix(while: \.isASCIIDigit), as: UTF8.self))
    }
}

extension EasyHandle {
    /// Whether the server did not process the request: it refused the stream, or excluded it by GOAWAY.
    ///
    /// A server that has begun to respond, in this attempt or an earlier one, has processed the request; so has, as far
    /// as libcurl reports, one that reset the stream for another reason.
    var wasNotProcessed: Bool {
        guard stream.isRefused || stream.isBeyondLast && !errorDescription.hasPrefix("HTTP/2 stream ") else {
            return false
        }
        return !ccurl_received_status(curl)
    }

    /// Whether to repeat the request on a new connection: libcurl does so after a refused stream, but not after GOAWAY.
    var requiresRetry: Bool {
        !stream.isRefused && wasNotProcessed
    }

    /// Parses a line of debug text. libcurl reports a GOAWAY to only one of the transfers that share the connection,
    /// the one that was reading; it applies to all of them.
    func note(_ remark: UnsafeBufferPointer<UInt8>) {
        let lastStream = stream.lastStream
        stream.note(remark)
        guard stream.lastStream != lastStream, let last = stream.lastStream, let socket = transfer?.socket else {
            return
        }
        for other in loop.active where other.transfer.socket == socket { other.handle.stream.lastStream = last }
    }
}
