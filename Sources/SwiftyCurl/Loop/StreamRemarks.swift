// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What libcurl said about the HTTP/2 stream of a request. It has no other way to tell.
struct StreamRemarks: Equatable {
    private static let streamPrefix = Array("Using Stream ID: ".utf8)
    private static let goAwayMark = Array("GOAWAY, error=".utf8)
    private static let lastStreamMark = Array("last_stream=".utf8)
    private static let http2Mark = Array("ALPN: server accepted h2".utf8)

    /// Whether a new connection speaks HTTP/2.
    private(set) var isHTTP2 = false
    /// Whether the server said that it will never look at the request (RFC 9113 §6.8: GOAWAY with a lower stream).
    private(set) var isUnseen = false
    private var stream: Int?

    /// Whether the request went out on a stream of HTTP/2.
    var isOnStream: Bool { stream != nil }

    /// Another try begins: what was said of the stream before is over.
    mutating func restart() {
        isUnseen = false
        stream = nil
    }

    /// Takes one remark.
    mutating func note(_ text: UnsafeBufferPointer<UInt8>) {
        if text.starts(with: Self.streamPrefix) {
            stream = Self.number(text.dropFirst(Self.streamPrefix.count))
        } else if text.starts(with: Self.http2Mark) {
            isHTTP2 = true
        } else if let stream, let last = Self.lastStream(text) {
            isUnseen = last < stream
        }
    }

    /// The last stream of a remark on GOAWAY, whose first word is spelled differently by different versions.
    private static func lastStream(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard text.first == UInt8(ascii: "r"), let start = text.firstRange(of: goAwayMark)?.upperBound,
            let mark = text[start...].firstRange(of: lastStreamMark)
        else { return nil }
        return number(text[mark.upperBound...])
    }

    private static func number(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        Int(String(decoding: text.prefix { (0x30...0x39).contains($0) }, as: UTF8.self))
    }
}
