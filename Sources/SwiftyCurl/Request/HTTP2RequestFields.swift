// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftySupport
import SwiftyTransport

/// The fields of a request's head as HTTP/2 sends them (RFC 9113 §8.3): pseudo-header fields first, and names in lower
/// case.
struct HTTP2RequestFields {
    private struct Field {
        var name: Range<Int>
        var value: Range<Int>
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []

    /// Takes the fields of a head that was written for HTTP/1.1.
    init(_ request: NetworkRequest, head: RequestHead) {
        bytes.reserveCapacity(head.bytes.count + 64)
        fields.reserveCapacity(16)
        let lines = head.bytes[head.fieldsStart...]
        let target = request.target
        append(":method", request.method.rawValue.utf8)
        append(":scheme", target.scheme.rawValue.utf8)
        // The first field of the head is `Host`.
        append(":authority", Self.value(of: lines))
        append(":path", (target.path.isEmpty ? "/" : target.path).utf8, (target.query.map { "?" + $0 } ?? "").utf8)
        var rest = lines.dropFirst(Self.lengthOfLine(lines))
        while let colon = rest.firstIndex(of: .colon) {
            let length = Self.lengthOfLine(rest)
            append(name: rest[..<colon], value: Self.value(of: rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        if let urgency = request.priority.urgency, !request.headers.contains(.priority) {
            append("priority", "u=\(urgency)".utf8)
        }
    }

    /// Calls the closure with all fields, which are valid during the call.
    func withFields<Result>(_ body: (UnsafeBufferPointer<ccurl_http2_field>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            withUnsafeTemporaryAllocation(of: ccurl_http2_field.self, capacity: fields.count) { buffer in
                var count = 0
                for field in fields {
                    guard let start = bytes.baseAddress else { break }
                    buffer.initializeElement(
                        at: count,
                        to: ccurl_http2_field(
                            name: start + field.name.lowerBound,
                            value: start + field.value.lowerBound,
                            name_length: field.name.count,
                            value_length: field.value.count,
                            flags: 0
                        )
                    )
                    count += 1
                }
                return body(UnsafeBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }

    private mutating func append(
        _ name: StaticString,
        _ value: some Sequence<UInt8>,
        _ rest: some Sequence<UInt8> = EmptyCollection()
    ) {
        let start = bytes.count
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        let middle = bytes.count
        bytes.append(contentsOf: value)
        bytes.append(contentsOf: rest)
        fields.append(Field(name: start..<middle, value: middle..<bytes.count))
    }

    /// Appends a field, unless it concerns the connection of HTTP/1.1 (RFC 9113 §8.2.2).
    private mutating func append(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        let start = bytes.count
        bytes.append(contentsOf: name)
        let middle = bytes.count
        lowercase(start..<middle)
        if concernsConnection(start..<middle) {
            bytes.removeSubrange(start...)
            return
        }
        bytes.append(contentsOf: value)
        fields.append(Field(name: start..<middle, value: middle..<bytes.count))
    }

    private mutating func lowercase(_ range: Range<Int>) {
        for index in range where (65...90).contains(bytes[index]) { bytes[index] |= 0x20 }
    }

    private func concernsConnection(_ name: Range<Int>) -> Bool {
        Self.connectionFields.contains { $0.utf8.count == name.count && bytes[name].elementsEqual($0.utf8) }
    }

    private static let connectionFields = [
        "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]

    private static func lengthOfLine(_ lines: ArraySlice<UInt8>) -> Int {
        lines.firstIndex(of: .lineFeed).map { $0 + 1 - lines.startIndex } ?? lines.count
    }

    /// The value of the first line, without CRLF, and without spaces at its ends, which HTTP/2 forbids
    /// (RFC 9113 §8.2.1).
    private static func value(of lines: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let colon = lines.firstIndex(of: .colon) else { return [] }
        return lines[(colon + 2)...].prefix { $0 != .carriageReturn }.trimmingSpacesAndTabs()
    }
}

extension NetworkRequest.Priority {
    /// The urgency of RFC 9218 §4.1, where 3 is the default; `nil` for that one.
    fileprivate var urgency: Int? {
        switch self {
        case .veryHigh: 0
        case .high: 1
        case .normal: nil
        case .low: 5
        case .veryLow: 6
        }
    }
}

extension HTTPField.Name {
    fileprivate static let priority = HTTPField.Name("Priority") ?? .accept
}
