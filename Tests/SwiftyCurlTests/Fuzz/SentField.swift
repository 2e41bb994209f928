// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

@testable import SwiftyCurl

/// A field as bytes, and a check of sent bytes that shares no code with the one in the sources.
struct SentField: Equatable, CustomStringConvertible {
    var name: [UInt8]
    /// Without spaces and tabs at its ends, which are not a part of it.
    var value: [UInt8]

    init(_ name: String, _ value: some Collection<UInt8>) {
        self.name = Array(name.utf8)
        self.value = Self.trim(Array(value))
    }

    init(_ field: HTTPField) {
        self.init(field.name.rawName, field.withUnsafeBytesOfValue { Array($0) })
    }

    var lowercased: SentField { SentField(String(decoding: name, as: UTF8.self).lowercased(), value) }

    /// Whether HTTP/2 leaves the field out; the other names of such fields are too long to occur.
    var concernsConnection: Bool { name == Array("te".utf8) }

    var description: String {
        String(decoding: name, as: UTF8.self).debugDescription + ": " + String(latin1: value).debugDescription
    }

    static func isToken(_ name: some Collection<UInt8>) -> Bool {
        !name.isEmpty && name.allSatisfy { $0 > 0x20 && $0 < 0x7F && !delimiters.contains($0) }
    }

    static func isValue(_ value: some Collection<UInt8>) -> Bool {
        value.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }
    }

    private static let delimiters = Array("\"(),/:;<=>?@[\\]{}".utf8)

    private static func trim(_ value: [UInt8]) -> [UInt8] {
        let end = value.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? 0
        return Array(value[..<end].drop { $0 == 0x20 || $0 == 0x09 })
    }
}

extension SentField {
    /// The fields between `Host` and `Accept`, which the transport adds; empty if the head is not well-formed.
    static func lines(of head: [UInt8]) -> [SentField] {
        var lines: [[UInt8]] = [[]]
        for byte in head {
            lines[lines.count - 1].append(byte)
            if lines[lines.count - 1].suffix(2) == [0x0D, 0x0A] { lines.append([]) }
        }
        let expected = ["Host: a.test\r\n", "Accept: */*\r\n", "\r\n", ""]
        guard lines.count >= 5, ([lines[1]] + lines.suffix(3)).elementsEqual(expected.map { Array($0.utf8) }) else {
            return []
        }
        let fields = lines[2..<(lines.count - 3)].map { parse($0.dropLast(2)) }
        return fields.contains(nil) ? [] : fields.compactMap { $0 }
    }

    private static func parse(_ line: ArraySlice<UInt8>) -> SentField? {
        guard let colon = line.firstIndex(of: 0x3A), isToken(line[..<colon]), isValue(line[colon...]) else {
            return nil
        }
        return SentField(String(decoding: line[..<colon], as: UTF8.self), line[(colon + 1)...])
    }

    /// The fields of HTTP/2 without the transport's own ones, with names in lower case, as nghttp2 writes them.
    /// Empty if one is not well-formed (RFC 9113 §8.2.1).
    static func fields(of request: HTTP2RequestFields) -> [SentField] {
        let all = request.withFields { $0.map { (bytes($0.name, $0.name_length), bytes($0.value, $0.value_length)) } }
        let own = all.dropFirst(4).dropLast()
        let isValid = own.allSatisfy { name, value in
            isToken(name) && isValue(value) && trim(value) == value
        }
        return isValid ? own.map { SentField(String(decoding: $0, as: UTF8.self), $1).lowercased } : []
    }

    private static func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
        Array(UnsafeBufferPointer(start: start, count: count))
    }
}
