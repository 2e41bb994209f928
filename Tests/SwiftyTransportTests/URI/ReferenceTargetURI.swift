// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

@testable import SwiftyTransport

extension TargetURI {
    /// Parses a URI in normal form in one pass over its bytes, for comparison with `init(_:)`. `nil` for any other
    /// text.
    init?(reference text: String) {
        guard let target = text.utf8.withContiguousStorageIfAvailable({ Self.parse($0, text) }) ?? nil else {
            return nil
        }
        self = target
    }

    private static func parse(_ bytes: UnsafeBufferPointer<UInt8>, _ text: String) -> TargetURI? {
        guard let scheme = PlainURI.scheme(of: bytes) else { return nil }
        let hostStart = scheme.rawValue.utf8.count + 3
        let hostEnd = bytes.end(from: hostStart) { $0 == UInt8(ascii: ":") || PlainURI.endsAuthority($0) }
        let authorityEnd = bytes.end(from: hostEnd, where: PlainURI.endsAuthority)
        let pathEnd = bytes.end(from: authorityEnd) { $0 == UInt8(ascii: "?") }
        guard PlainURI.isHost(bytes[hostStart..<hostEnd]),
            let port = PlainURI.port(bytes[hostEnd..<authorityEnd], scheme),
            PlainURI.isPath(bytes[authorityEnd..<pathEnd]),
            bytes[pathEnd...].dropFirst().allSatisfy(PercentEncoding.AllowedBytes.query.contains)
        else { return nil }
        return TargetURI(
            scheme: scheme,
            host: String(decoding: bytes[hostStart..<hostEnd], as: UTF8.self),
            port: port,
            origin: authorityEnd == bytes.count ? text : String(decoding: bytes[..<authorityEnd], as: UTF8.self),
            path: String(decoding: bytes[authorityEnd..<pathEnd], as: UTF8.self),
            query: pathEnd == bytes.count ? nil : String(decoding: bytes[(pathEnd + 1)...], as: UTF8.self)
        )
    }
}

/// The parts of a URI in normal form, byte by byte.
enum PlainURI {
    static func scheme(of bytes: UnsafeBufferPointer<UInt8>) -> TargetURI.Scheme? {
        if bytes.start(as: "http://") { return .http }
        return bytes.start(as: "https://") ? .https : nil
    }

    static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?")
    }

    /// Whether a name or an IPv4 address is in its normal form; `false` for an IPv6 address.
    static func isHost(_ text: some StringProtocol) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { isHost($0[...]) } ?? false
    }

    static func isHost(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        bytes.count <= 253 && (isName(bytes) || isAddress(bytes))
    }

    /// Labels in lower case, the last of which starts with a letter.
    private static func isName(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var length = 0
        var startsWithLetter = false
        for byte in bytes {
            if byte == UInt8(ascii: ".") {
                if length == 0 { return false }
                length = 0
                continue
            }
            let isLetter = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
            if length == 0 { startsWithLetter = isLetter }
            length += 1
            guard isLetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_"), length <= 63
            else { return false }
        }
        return length > 0 && startsWithLetter
    }

    /// Four numbers up to 255, without leading zeros.
    private static func isAddress(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var (count, digits, number) = (1, 0, 0)
        for byte in bytes {
            if byte == UInt8(ascii: "."), digits > 0 {
                (count, digits, number) = (count + 1, 0, 0)
                continue
            }
            guard byte.isASCIIDigit, digits == 0 || number > 0 else { return false }
            digits += 1
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
            if number > 255 { return false }
        }
        return count == 4 && digits > 0
    }

    /// Only bytes that a path allows, and no segment that may be a dot segment.
    static func isPath(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        bytes.allSatisfy(PercentEncoding.AllowedBytes.path.contains) && !DotSegments.mayBe(in: bytes)
    }

    /// The scheme's port, or another one after a colon.
    static func port(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ scheme: TargetURI.Scheme) -> Int? {
        if bytes.isEmpty { return scheme.defaultPort }
        let digits = bytes.dropFirst()
        guard (1...5).contains(digits.count), digits.first != UInt8(ascii: "0"), digits.allSatisfy(\.isASCIIDigit)
        else { return nil }
        let port = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return port <= 65_535 && port != scheme.defaultPort ? port : nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func start(as text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount
            && (0..<text.utf8CodeUnitCount).allSatisfy { self[$0] == text.utf8Start[$0] }
    }

    /// The index of the first such byte, or the end.
    fileprivate func end(from start: Int, where isEnd: (UInt8) -> Bool) -> Int {
        self[start...].firstIndex(where: isEnd) ?? count
    }
}
