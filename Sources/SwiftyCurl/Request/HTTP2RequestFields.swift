// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftySupport
import SwiftyTransport

/// The fields of a request's head as HTTP/2 sends them (RFC 9113 §8.3): pseudo-header fields first, and without those
/// that concern the connection of HTTP/1.1.
///
/// They are read from the head that was written for HTTP/1.1, and point into it. nghttp2 copies them, and writes names
/// in lower case.
struct HTTP2RequestFields {
    private let head: RequestHead
    private let isSecure: Bool
    /// The value of `priority`; `nil` for the default priority, and if the request has the field itself.
    private let priority: StaticString?
    private let capacity: Int

    /// - Parameter head: The head of the request, with the form of its target for an origin server.
    init(_ request: NetworkRequest, head: RequestHead) {
        self.head = head
        isSecure = request.target.scheme == .https
        priority = request.priority.fieldValue.flatMap { request.headers.contains(.priority) ? nil : $0 }
        // The transport adds four pseudo-header fields, `priority`, and up to seven lines.
        capacity = request.headers.count + 12
    }

    /// Calls the closure with all fields, which are valid during the call.
    func withFields<Result>(_ body: (UnsafeBufferPointer<ccurl_http2_field>) -> Result) -> Result {
        head.bytes.withUnsafeBufferPointer { bytes in
            withUnsafeTemporaryAllocation(of: ccurl_http2_field.self, capacity: capacity) { buffer in
                var count = 0
                append(bytes) { name, value in
                    precondition(count < buffer.count)
                    buffer.initializeElement(at: count, to: ccurl_http2_field(name, value))
                    count += 1
                }
                return body(UnsafeBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }

    private func append(_ bytes: UnsafeBufferPointer<UInt8>, _ append: (Bytes, Bytes) -> Void) {
        var lines = Bytes(rebasing: bytes[head.fieldsStart...])
        append(Bytes(":method"), Bytes(rebasing: bytes[..<head.methodEnd]))
        append(Bytes(":scheme"), Bytes(isSecure ? "https" : "http"))
        // The first line is `Host`.
        append(Bytes(":authority"), FieldLine(&lines)?.value ?? Bytes(""))
        append(Bytes(":path"), Bytes(rebasing: bytes[(head.methodEnd + 1)..<head.targetEnd]))
        while let line = FieldLine(&lines) {
            if !line.concernsConnection { append(line.name, line.value) }
        }
        if let priority { append(Bytes("priority"), Bytes(priority)) }
    }
}

private typealias Bytes = UnsafeBufferPointer<UInt8>

/// A field line of HTTP/1.1.
private struct FieldLine {
    let name: Bytes
    /// Without spaces and tabs at its ends, which HTTP/2 forbids (RFC 9113 §8.2.1).
    let value: Bytes

    /// Takes the first line; `nil` if it is the empty line at the end of the head.
    init?(_ lines: inout Bytes) {
        guard let start = lines.baseAddress else { return nil }
        let length = ccurl_line_length(start, lines.count)
        let colon = ccurl_name_length(start, length)
        guard colon > 0 else { return nil }
        name = Bytes(rebasing: lines[..<colon])
        value = Bytes(rebasing: lines[(colon + 1)..<(length - 2)].trimmingSpacesAndTabs())
        lines = Bytes(rebasing: lines[length...])
    }

    /// Whether the field is not allowed in HTTP/2 (RFC 9113 §8.2.2), in which `TE` says `trailers` or nothing.
    var concernsConnection: Bool {
        switch name.count {
        case 2: isNamed("te") && !Self.isEqual(value, "trailers")
        case 7: isNamed("upgrade")
        case 10: isNamed("connection") || isNamed("keep-alive")
        case 16: isNamed("proxy-connection")
        case 17: isNamed("transfer-encoding")
        default: false
        }
    }

    /// - Parameter other: A name in lower case.
    private func isNamed(_ other: StaticString) -> Bool { Self.isEqual(name, other) }

    /// Whether the bytes are a token, in whatever case.
    ///
    /// - Parameter other: The token in lower case.
    private static func isEqual(_ bytes: Bytes, _ other: StaticString) -> Bool {
        bytes.count == other.utf8CodeUnitCount
            && bytes.indices.allSatisfy { bytes[$0] | 0x20 == other.utf8Start[$0] }
    }
}

extension Bytes {
    fileprivate init(_ text: StaticString) {
        self.init(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}

extension ccurl_http2_field {
    fileprivate init(_ name: Bytes, _ value: Bytes) {
        self.init(
            name: name.baseAddress ?? StaticString("").utf8Start,
            value: value.baseAddress,
            name_length: name.count,
            value_length: value.count,
            flags: 0
        )
    }
}
