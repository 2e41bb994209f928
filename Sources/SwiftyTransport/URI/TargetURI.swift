// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The absolute `http` or `https` URI that a request is sent to.
///
/// A value is always valid: it has a scheme, a host and a port, no user information, no fragment, no byte that could
/// end a line on the wire, and no dot segments in its path. Parsing is stricter than RFC 3986 where parsers disagree: a
/// backslash, a percent-encoded host, an abbreviated IPv4 address (`127.1`, `0x7f.1`) and a non-ASCII host are refused,
/// so that the host that was checked is the host that is connected to. Different spellings of a host have the same
/// ``host``.
///
/// Source: RFC 9110 §4.2 and §7.1, RFC 3986.
public struct TargetURI: Sendable, Hashable {
    /// A supported URI scheme.
    public enum Scheme: String, Sendable, Hashable {
        /// Cleartext HTTP, default port 80.
        case http
        /// HTTP over TLS, default port 443.
        case https

        /// The port if the URI has none.
        public var defaultPort: Int { self == .http ? 80 : 443 }
    }

    /// The scheme, in lower case.
    public let scheme: Scheme
    /// The host in its normal form: a name in lower case without a final dot, four decimal numbers, or an IPv6 address
    /// in brackets in the form of RFC 5952 §4. The IPv6 form of an IPv4 address (`::ffff:192.0.2.1`) is the IPv4
    /// address.
    public let host: String
    /// The port; the scheme's default if the URI has none.
    public let port: Int
    /// Scheme, host and port in their normal form, such as `https://example.com:8443`.
    public let origin: String
    /// The percent-encoded path; empty or starting with `/`, without dot segments.
    public let path: String
    /// The percent-encoded query without its `?`; `nil` if the URI has no query.
    public let query: String?

    /// The whole URI.
    public var string: String {
        let path = self.path.isEmpty ? "/" : self.path
        guard let query else { return origin + path }
        return "\(origin)\(path)?\(query)"
    }

    /// The same origin with another path and query.
    ///
    /// The result is on this origin whatever the arguments are: bytes that a path or a query does not allow are
    /// percent-encoded, a path without a leading `/` gets one, and dot segments are resolved.
    public func replacing(path: String, query: String?) -> TargetURI {
        let encodedPath = PercentEncoding.encodeIllegal(in: path, allowed: .path)
        let isComplete = encodedPath.isEmpty || encodedPath.utf8.first == UInt8(ascii: "/")
        return replacing(
            encodedPath: DotSegments.removed(from: isComplete ? encodedPath : "/" + encodedPath),
            encodedQuery: query.map { PercentEncoding.encodeIllegal(in: $0, allowed: .query) }
        )
    }

    /// The same origin with an encoded path and query. The path is empty or starts with a `/`, and has no dot segments.
    package func replacing(encodedPath: String, encodedQuery: String?) -> TargetURI {
        TargetURI(scheme: scheme, host: host, port: port, origin: origin, path: encodedPath, query: encodedQuery)
    }

    /// The same target with more parameters at the end of its query. Bytes that a query does not allow are
    /// percent-encoded.
    package func adding(query parameters: String) -> TargetURI {
        let parameters = PercentEncoding.encodeIllegal(in: parameters, allowed: .query)
        let query = self.query.flatMap { $0.isEmpty ? nil : "\($0)&\(parameters)" } ?? parameters
        return replacing(encodedPath: path, encodedQuery: query)
    }
}

extension TargetURI: CustomStringConvertible {
    /// The URI without secrets that can be known from their names and forms.
    public var description: String {
        Redactor().uri(self)
    }
}

extension Redactor {
    /// The URI without secrets.
    package func uri(_ target: TargetURI) -> String { reference(target.string) }
}
