// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

// MARK: The path

extension SignatureV4 {
    /// The path as it is signed.
    ///
    /// Most services take the path as it was sent for data, and encode it once more: `/a%20b` is signed as `/a%2520b`.
    /// S3 decodes it and encodes it again, so that it is signed as `/a%20b`, and `/a=b` as `/a%3Db`. A slash that was
    /// sent as `%2F` separates segments for S3, and is signed as a slash.
    ///
    /// A `+` stands for itself, as RFC 3986 has it. S3 reads it as a space, so a path for S3 should have `%2B` instead.
    func canonicalPath(_ path: String) -> String {
        let path = options.normalizesPath ? Self.normalizedPath(path) : path
        let bytes = Array(path.utf8)
        let sent = options.encodesPathTwice ? bytes : PercentEncoding.lenientlyDecoded(bytes)
        let slash = UInt8(ascii: "/")
        return Self.encoded(sent.first == slash ? sent : [slash] + sent, keeping: slash)
    }

    /// A path without dot segments and empty segments.
    ///
    /// Unlike in RFC 3986 §5.2.4, nothing is left of a dot segment at the end: AWS makes `/a` of `/a/b/..`.
    static func normalizedPath(_ path: String) -> String {
        let slash = UInt8(ascii: "/")
        var segments: [Substring] = []
        for segment in path.utf8.split(separator: slash).map(Substring.init) where segment != "." {
            if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
        }
        let end = path.utf8.last == slash && !segments.isEmpty ? "/" : ""
        return "/\(segments.joined(separator: "/"))\(end)"
    }
}

// MARK: The query

extension SignatureV4 {
    /// The parameters of a query in their order, decoded and encoded again. Empty ones are omitted.
    static func parameters(of query: String?) -> [Field] {
        (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map { parameter in
            let name = parameter.prefix { $0 != .equalsSign }
            return (encodedAgain(name), encodedAgain(parameter[name.endIndex...].dropFirst()))
        }
    }

    /// The parameters sorted by name, then by value, each with an `=`. Names and values are encoded.
    static func canonicalQuery(_ parameters: [Field]) -> String {
        joined(parameters.sorted { ($0.name, $0.value) < ($1.name, $1.value) })
    }

    /// The query that consists of encoded parameters.
    static func joined(_ parameters: [Field]) -> String {
        parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// A name or a value of a query in the one form that is signed.
    ///
    /// Neither the guide nor the test suite of AWS says what a `+` stands for. S3 and other servers read it as a space
    /// and sign `%20`, and so do the signers of curl and Envoy. A plus sign is sent and signed as `%2B`.
    private static func encodedAgain(_ component: Substring.UTF8View) -> String {
        let bytes = component.map { $0 == UInt8(ascii: "+") ? .space : $0 }
        return encoded(PercentEncoding.lenientlyDecoded(bytes))
    }
}

// MARK: Encoding

extension SignatureV4 {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Percent-encodes all but the unreserved bytes (RFC 3986 §2.3) and another one. The bytes need not be UTF-8.
    static func encoded(_ bytes: some Sequence<UInt8>, keeping kept: UInt8? = nil) -> String {
        var result: [UInt8] = []
        for byte in bytes {
            if byte == kept || PercentEncoding.AllowedBytes.unreserved.contains(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
