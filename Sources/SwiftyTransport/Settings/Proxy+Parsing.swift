// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension TransportSettings.Proxy {
    /// The error of a text or a value that is not a valid proxy.
    public struct ValidationError: Error, Sendable, Hashable {
        /// The reason, as a part of a sentence. It repeats nothing of the text, which may contain a password.
        public let reason: String
    }
}

extension TransportSettings.Proxy {
    /// Parses a proxy's URL, such as `http://user:password@proxy.example.com:3128`.
    ///
    /// The schemes are `http` (the default), `https`, `socks5h` (the proxy resolves names) and `socks5`
    /// (names are resolved locally). Without a port, the scheme's default is used: 80, 443 or 1080. User name and
    /// password are percent-decoded.
    ///
    /// - Throws: ``ValidationError`` with the reason, which repeats nothing of the text.
    public init(_ text: String) throws(ValidationError) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
            throw ValidationError(
                reason: "it contains a space, a control character or a backslash"
            )
        }
        let (kind, afterScheme) = try Self.parseKind(of: text)
        let authority = try Self.withoutPath(afterScheme)
        let (credentials, hostAndPort) = Self.split(authority, atLast: "@")
        let (host, port) = try Self.parsePeer(hostAndPort, defaultPort: kind.defaultPort)
        let (user, password) = try Self.parseCredentials(credentials)
        self = try TransportSettings.Proxy(
            kind,
            at: HostAndPort(host: host, port: port),
            user: user,
            password: password
        ).validated()
    }

    private static func parseKind(of text: String) throws(ValidationError) -> (Kind, Substring) {
        guard let separator = text.firstRange(of: "://") else { return (.http, text[...]) }
        guard let kind = Kind(rawValue: text[..<separator.lowerBound].lowercased()) else {
            throw ValidationError(reason: "its scheme is not http, https, socks5h or socks5")
        }
        return (kind, text[separator.upperBound...])
    }

    private static func withoutPath(_ text: Substring) throws(ValidationError) -> Substring {
        let end = text.firstIndex { "/?#".contains($0) } ?? text.endIndex
        guard text[end...].isEmpty || text[end...] == "/" else {
            throw ValidationError(
                reason: "it has a path, a query or a fragment; write / ? # in a password as %2F %3F %23"
            )
        }
        return text[..<end]
    }

    private static func split(_ text: Substring, atLast mark: Character) -> (before: Substring?, after: Substring) {
        guard let position = text.lastIndex(of: mark) else { return (nil, text) }
        return (text[..<position], text[position...].dropFirst())
    }

    private static func parsePeer(
        _ text: Substring,
        defaultPort: Int
    ) throws(ValidationError) -> (String, Int) {
        let bracket = text.lastIndex(of: "]") ?? text.startIndex
        guard let colon = text[bracket...].firstIndex(of: ":") else { return (String(text), defaultPort) }
        let digits = text[colon...].dropFirst()
        guard digits.utf8.isDecimal, digits.utf8.count <= 5, let port = Int(digits) else {
            throw invalidPort
        }
        return (String(text[..<colon]), port)
    }

    private static func parseCredentials(
        _ text: Substring?
    ) throws(ValidationError) -> (String?, String?) {
        guard let text else { return (nil, nil) }
        guard let colon = text.firstIndex(of: ":") else { return (try decode(text), nil) }
        return (try decode(text[..<colon]), try decode(text[colon...].dropFirst()))
    }

    private static func decode(_ text: Substring) throws(ValidationError) -> String {
        guard let bytes = PercentEncoding.decodedBytes(of: text), let decoded = String(validating: bytes, as: UTF8.self)
        else {
            throw ValidationError(
                reason: "its user name or password is not percent-encoded UTF-8; write % as %25"
            )
        }
        return decoded
    }
}

extension TransportSettings.Proxy {
    /// The proxy, if it is valid.
    ///
    /// - Throws: ``ValidationError`` if a part cannot be sent.
    package func validated() throws(ValidationError) -> TransportSettings.Proxy {
        guard (1...65_535).contains(address.port) else { throw Self.invalidPort }
        guard address.isValid else {
            throw ValidationError(
                reason: "its host is not a name, an IPv4 address or an IPv6 address in brackets"
            )
        }
        try checkCredentials()
        return self
    }

    private func checkCredentials() throws(ValidationError) {
        for text in [user, password].compactMap({ $0 }) {
            guard !text.utf8.contains(where: \.isASCIIControl) else {
                throw ValidationError(
                    reason: "its user name or password contains a control character"
                )
            }
            guard kind.isHTTP || text.utf8.count <= 255 else {
                throw ValidationError(
                    reason: "its user name or password is longer than SOCKS allows, 255 bytes"
                )
            }
        }
        guard !kind.isHTTP || user?.utf8.contains(UInt8(ascii: ":")) != true else {
            throw ValidationError(
                reason: "its user name contains a colon, which Basic authentication cannot send"
            )
        }
    }

    static let invalidPort = ValidationError(
        reason: "its port is not a number between 1 and 65535"
    )
}
