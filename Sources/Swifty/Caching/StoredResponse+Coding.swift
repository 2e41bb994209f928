// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CZlib
import SwiftySupport

import struct Foundation.Data

// The file of a stored response, whose first two lines are read alone to find out whether it may answer a request:
//
//     swifty-cache 2 CHECKSUM\n           CRC-32 of all that follows, in eight hexadecimal digits
//     STATUS VERSION REQUESTED RECEIVED LIFETIME SELECTION DIGEST HEAD\n
//     reason phrase\r\n, field lines\r\n   of HEAD bytes
//     content
//
// The times are bit patterns of `Double` in hexadecimal digits. The lifetime is the one that the caller has decided,
// `-` if there is none. The selection is `*` or the names of the compared request fields, separated by commas. Request
// fields are not in it.

extension StoredResponse {
    fileprivate static let signature = "swifty-cache 2 "

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
        guard let beginning = Beginning(bytes), let (_, rest) = bytes[...].lineAndRest,
            beginning.checksum == Self.checksum(of: rest), let (_, message) = rest.lineAndRest,
            (0...message.count).contains(beginning.headBytes),
            let (reason, fields) = message.prefix(beginning.headBytes).lineAndRest
        else { return nil }
        self.init(
            head: ResponseHead(
                statusCode: beginning.status,
                reasonPhrase: reason.hasSuffix("\r") ? String(reason.dropLast()) : reason,
                httpVersion: beginning.version,
                rawFields: Array(fields)
            ),
            content: Data(message.dropFirst(beginning.headBytes)),
            times: beginning.times,
            variant: beginning.variant,
            ownLifetime: beginning.ownLifetime
        )
    }

    static func checksum(of bytes: ArraySlice<UInt8>) -> String {
        let value = bytes.withUnsafeBytes { bytes in
            crc32_z(0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension StoredResponse {
    /// The first two lines of a file, which say whether the response may answer a request.
    struct Beginning {
        /// The bytes of a file that have them: ``CacheVariant/maximumNameBytes`` is most of them.
        static let maximumBytes = 4096

        let checksum: String
        let status: Int
        let version: ResponseHead.HTTPVersion
        let times: CacheTimes
        let variant: CacheVariant
        let ownLifetime: Double?
        let headBytes: Int

        /// Reads the beginning of a file; `nil` if it is damaged, or has another version. The checksum is not checked.
        init?(_ bytes: [UInt8]) {
            guard let (first, rest) = bytes[...].lineAndRest, let (facts, _) = rest.lineAndRest,
                first.hasPrefix(StoredResponse.signature)
            else { return nil }
            let words = facts.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 8, let status = Int(words[0]),
                let version = ResponseHead.HTTPVersion(rawValue: String(words[1])),
                let requested = Double(digits: words[2]), let received = Double(digits: words[3]),
                let digest = CacheDigest(hexadecimal: words[6]), let headBytes = Int(words[7])
            else { return nil }
            checksum = String(first.dropFirst(StoredResponse.signature.count))
            (self.status, self.version, self.headBytes) = (status, version, headBytes)
            times = CacheTimes(requested: requested, received: received)
            variant = CacheVariant(selection: CacheVariant.Selection(text: words[5]), digest: digest)
            ownLifetime = Double(digits: words[4])
        }
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
