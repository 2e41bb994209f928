// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The absolute `http` or `https` URI that a request is sent to.
///
/// A value of this type is always well formed: it has a scheme, a host and a valid port, carries no user information and
/// no fragment, holds no byte that could end a line on the wire, and its path has no dot segments. It is stricter than
/// RFC 3986 where parsers are known to disagree: a backslash, a percent-encoded host, an abbreviated IPv4 address
/// (`127.1`, `0x7f.1`) and a non-ASCII host are refused, so that the host which was checked is the host which is connected
/// to. Two spellings of a host are one ``host``.
///
/// Source: RFC 9110 §4.2 and §7.1, RFC 3986.
public struct TargetURI: Sendable, Hashable {
    /// The URI schemes that Swifty speaks.
    public enum Scheme: String, Sendable, Hashable {
        /// Cleartext HTTP, default port 80.
        case http
        /// HTTP over TLS, default port 443.
        case https

        /// The port that is meant when the URI names none.
        public var defaultPort: Int { self == .http ? 80 : 443 }
    }

    /// The scheme, in lower case.
    public let scheme: Scheme
    /// The host in its normal form: a name in lower case without a dot at its end, four decimal numbers, or an IPv6 address
    /// in brackets as RFC 5952 §4 writes it. An IPv4 address in its IPv6 form (`::ffff:192.0.2.1`) is the IPv4 address.
    public let host: String
    /// The port, the scheme's default one if the URI names none.
    public let port: Int
    /// Scheme, host and port in their normal form, for example `https://example.com:8443`.
    public let origin: String
    /// The percent-encoded path; empty or starting with `/`, without dot segments.
    public let path: String
    /// The percent-encoded query without its `?`; `nil` if there is none.
    public let query: String?

    /// The whole URI as it is given to the transport.
    public var string: String {
        let path = self.path.isEmpty ? "/" : self.path
        guard let query else { return origin + path }
        return "\(origin)\(path)?\(query)"
    }

    init(scheme: Scheme, host: String, port: Int, origin: String, path: String, query: String?) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.origin = origin
        self.path = path
        self.query = query
    }

    /// The same origin with another path and query.
    ///
    /// Whatever the arguments hold, the result stays on this origin: bytes that may not stand in a path or a query are
    /// percent-encoded, a path without a leading `/` gets one, and dot segments are resolved.
    public func replacing(path: String, query: String?) -> TargetURI {
        let encodedPath = PercentEncoding.encodeIllegal(in: path, allowed: .path)
        let isComplete = encodedPath.isEmpty || encodedPath.utf8.first == UInt8(ascii: "/")
        return TargetURI(
            scheme: scheme,
            host: host,
            port: port,
            origin: origin,
            path: DotSegments.removed(from: isComplete ? encodedPath : "/" + encodedPath),
            query: query.map { PercentEncoding.encodeIllegal(in: $0, allowed: .query) }
        )
    }

    /// The same origin with a path and a query in which nothing needs to be encoded; the path is empty or starts with a `/`,
    /// and has no dot segments.
    package func replacing(encodedPath: String, encodedQuery: String?) -> TargetURI {
        TargetURI(scheme: scheme, host: host, port: port, origin: origin, path: encodedPath, query: encodedQuery)
    }

    /// The same target with more parameters at the end of its query; what may not stand in one is percent-encoded.
    package func adding(query parameters: String) -> TargetURI {
        let parameters = PercentEncoding.encodeIllegal(in: parameters, allowed: .query)
        let query = self.query.flatMap { $0.isEmpty ? nil : "\($0)&\(parameters)" } ?? parameters
        return TargetURI(scheme: scheme, host: host, port: port, origin: origin, path: path, query: query)
    }
}

extension TargetURI: CustomStringConvertible {
    /// The URI with the values of secret-looking query parameters replaced; see ``Redaction``.
    public var description: String {
        Redaction.redact(self)
    }
}
