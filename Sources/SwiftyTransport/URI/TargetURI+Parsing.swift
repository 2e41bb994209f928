// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension TargetURI {
    /// The error of a text that is not a valid target.
    public struct ValidationError: Error, Sendable, Hashable {
        /// The reason, as a part of a sentence. It repeats no secrets of the text.
        public let reason: String
    }
}

extension TargetURI {
    /// Parses an absolute `http` or `https` URI.
    ///
    /// The host is normalized, and the dot segments of the path are resolved (RFC 3986 §5.2.4), including those with
    /// `%2e` for a dot. Bytes that path and query do not allow are percent-encoded, except that control characters,
    /// spaces and backslashes are errors.
    ///
    /// - Throws: ``TargetURI/ValidationError`` with the reason.
    public init(_ text: String) throws(ValidationError) {
        try Self.refuseForbiddenBytes(in: text)
        let (scheme, afterScheme) = try Self.parseScheme(of: text)
        let end = afterScheme.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? afterScheme.endIndex
        let (host, explicitPort) = try Self.parseAuthority(afterScheme[..<end])
        let (path, query) = try Self.parsePathAndQuery(afterScheme[end...])
        let port = explicitPort ?? scheme.defaultPort
        self.init(
            scheme: scheme,
            host: host,
            port: port,
            origin: "\(scheme.rawValue)://\(host)\(port == scheme.defaultPort ? "" : ":\(port)")",
            path: DotSegments.removed(from: PercentEncoding.encodeIllegal(in: path, allowed: .path)),
            query: query.map { PercentEncoding.encodeIllegal(in: $0, allowed: .query) }
        )
    }

    private static func refuseForbiddenBytes(in text: String) throws(ValidationError) {
        if text.isEmpty { throw ValidationError(reason: "it is empty") }
        for byte in text.utf8 {
            switch byte {
            case 0...0x1F, 0x7F: throw ValidationError(reason: "it contains a control character")
            case UInt8(ascii: " "): throw ValidationError(reason: "it contains a space")
            case UInt8(ascii: "\\"): throw ValidationError(reason: "it contains a backslash")
            default: continue
            }
        }
    }

    private static func parseScheme(of text: String) throws(ValidationError) -> (Scheme, Substring) {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
            throw ValidationError(reason: "it has no scheme; write it like https://example.com")
        }
        guard let scheme = Scheme(rawValue: text[..<colon].lowercased()) else {
            throw ValidationError(
                reason: "its scheme is \"\(text[..<colon])\"; only http and https are supported"
            )
        }
        return (scheme, text[colon...].dropFirst(3))
    }

    private static func parseAuthority(
        _ authority: Substring
    ) throws(ValidationError) -> (host: String, port: Int?) {
        if authority.contains("@") {
            throw ValidationError(
                reason: "it contains credentials; set them with an Authorization field instead"
            )
        }
        var host = authority
        var port: Int?
        // The colon of the port follows the bracket of an IPv6 address. After an unclosed bracket there is no port.
        let isUnclosed = authority.first == "[" && !authority.contains("]")
        let afterBracket = isUnclosed ? authority.endIndex : authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[afterBracket...].firstIndex(of: ":") {
            host = authority[..<colon]
            port = try parsePort(authority[colon...].dropFirst())
        }
        return (try HostName.normalize(host), port)
    }

    /// The port; `nil` if it is empty, which means the default one (RFC 3986 §3.2.3).
    private static func parsePort(_ text: Substring) throws(ValidationError) -> Int? {
        if text.isEmpty { return nil }
        guard text.utf8.isDecimal, text.utf8.count <= 5, let port = Int(text), (1...65_535).contains(port) else {
            throw ValidationError(reason: "its port \"\(text)\" is not a number between 1 and 65535")
        }
        return port
    }

    private static func parsePathAndQuery(
        _ rest: Substring
    ) throws(ValidationError) -> (path: String, query: String?) {
        if rest.contains("#") { throw ValidationError(reason: "it has a fragment (#), which is never sent") }
        guard let mark = rest.firstIndex(of: "?") else { return (String(rest), nil) }
        return (String(rest[..<mark]), String(rest[mark...].dropFirst()))
    }
}
