// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CZlib
import SwiftySupport

import struct Foundation.Data

// The file of a stored response:
//
//     swifty-cache 1 CHECKSUM\n           CRC-32 of all that follows, in eight hexadecimal digits
//     STATUS VERSION REQUESTED RECEIVED LIFETIME SELECTION DIGEST HEAD\n
//     reason phrase\r\n, field lines\r\n   of HEAD bytes
//     content
//
// The times are bit patterns of `Double` in hexadecimal digits, an own lifetime is `-` if there is none, and the
// selection is `*` or the names of the compared request fields, separated by commas. Request fields are not in it.

extension StoredResponse {
    private static let signature = "swifty-cache 1 "

    /// The response as a file.
    var encoded: [UInt8] {
        let head = encodedHead
        let facts = [
            "\(self.head.statusCode)", self.head.httpVersion.rawValue, times.requested.digits, times.received.digits,
            ownLifetime?.digits ?? "-", variant.selection.text, variant.digest.hexadecimal, "\(head.count)",
        ]
        let rest = Array((facts.joined(separator: " ") + "\n").utf8) + head + content
        return Array("\(Self.signature)\(Self.checksum(of: rest[...]))\n".utf8) + rest
    }

    private var encodedHead: [UInt8] {
        var bytes = Array("\(head.reasonPhrase)\r\n".utf8)
        for field in head.headers {
            bytes += Array("\(field.name.rawName): ".utf8)
            field.withUnsafeBytesOfValue { bytes += $0 }
            bytes += [.carriageReturn, .lineFeed]
        }
        return bytes
    }

    /// Reads a file; `nil` if it is damaged, or has another version.
    init?(encoded bytes: [UInt8]) {
        guard let (first, rest) = bytes[...].lineAndRest, let (facts, message) = rest.lineAndRest,
            first == Self.signature + Self.checksum(of: rest)
        else { return nil }
        let words = facts.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 8, let status = Int(words[0]),
            let version = ResponseHead.HTTPVersion(rawValue: String(words[1])),
            let requested = Double(digits: words[2]), let received = Double(digits: words[3]),
            let digest = CacheDigest(hexadecimal: words[6]), let count = Int(words[7]),
            (0...message.count).contains(count),
            let (reason, fields) = message.prefix(count).lineAndRest
        else { return nil }
        self.init(
            head: ResponseHead(
                statusCode: status,
                reasonPhrase: reason.hasSuffix("\r") ? String(reason.dropLast()) : reason,
                httpVersion: version,
                rawFields: Array(fields)
            ),
            content: Data(message.dropFirst(count)),
            times: CacheTimes(requested: requested, received: received),
            variant: CacheVariant(selection: CacheVariant.Selection(text: words[5]), digest: digest),
            ownLifetime: Double(digits: words[4])
        )
    }

    private static func checksum(of bytes: ArraySlice<UInt8>) -> String {
        let value = bytes.withUnsafeBytes { bytes in
            crc32_z(0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension CacheVariant.Selection {
    fileprivate var text: String {
        switch self {
        case .all: "*"
        case .named(let names): names.joined(separator: ",")
        }
    }

    fileprivate init(text: Substring) {
        self = text == "*" ? .all : .named(text.split(separator: ",").map { String($0) })
    }
}

extension Double {
    fileprivate var digits: String { String(bitPattern, radix: 16) }

    fileprivate init?(digits: Substring) {
        guard let pattern = UInt64(digits, radix: 16) else { return nil }
        self.init(bitPattern: pattern)
        if !isFinite { return nil }
    }
}

extension ArraySlice<UInt8> {
    /// The text up to the first line feed, and the bytes after it; `nil` without one, or if the text is not UTF-8.
    fileprivate var lineAndRest: (line: String, rest: ArraySlice<UInt8>)? {
        guard let end = firstIndex(of: .lineFeed), let line = String(validating: self[..<end], as: UTF8.self)
        else { return nil }
        return (line, self[index(after: end)...])
    }
}
