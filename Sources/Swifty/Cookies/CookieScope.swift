// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// Domain and path matching of cookies (RFC 6265bis §5.1.3, §5.1.4).
enum CookieScope {
    /// Whether a host is the domain or lies below it. Both are in lower case; bytes are compared.
    static func host(_ host: String, isIn domain: String) -> Bool {
        if host.utf8.elementsEqual(domain.utf8) { return true }
        let rest = host.utf8.count - domain.utf8.count - 1
        guard rest > 0, !domain.isEmpty, !isAddress(host) else { return false }
        let tail = host.utf8.dropFirst(rest)
        return tail.first == UInt8(ascii: ".") && tail.dropFirst().elementsEqual(domain.utf8)
    }

    /// Whether a host is an IPv4 or a bracketed IPv6 address. A URI's host that ends in a number is an address.
    static func isAddress(_ host: String) -> Bool {
        if host.utf8.first == UInt8(ascii: "[") { return true }
        let last = host.utf8.split(separator: UInt8(ascii: ".")).last ?? host.utf8[...]
        return last.isDecimal
    }

    /// The number of labels of a domain without a dot at its end.
    static func labelCount(of domain: String) -> Int {
        domain.utf8.count { $0 == UInt8(ascii: ".") } + 1
    }

    /// Whether secure cookies may be set by and sent to a target: over https, and to this machine, as in curl. Its
    /// traffic stays here, and servers are developed without certificates there.
    static func isSecure(_ target: TargetURI) -> Bool {
        target.scheme == .https || ["localhost", "127.0.0.1", "[::1]"].contains(target.host)
    }

    /// Whether a request's path is the cookie's or lies below it.
    static func path(_ path: String, isIn scope: String) -> Bool {
        let slash = UInt8(ascii: "/")
        let path = path.isEmpty ? "/" : path
        guard path.utf8.starts(with: scope.utf8) else { return false }
        let rest = path.utf8.dropFirst(scope.utf8.count)
        return rest.isEmpty || scope.utf8.last == slash || rest.first == slash
    }

    /// The path of a cookie that was set without one: the request's path up to its last slash.
    static func defaultPath(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// The key of a host's cookies in a store: the last two labels, which the domains of all its cookies share.
    static func bucket(of host: String) -> String {
        let dots = host.utf8.indices.reversed().lazy.filter { host.utf8[$0] == UInt8(ascii: ".") }
        guard let dot = dots.dropFirst().first else { return host }
        return String(host[dot...].dropFirst())
    }
}
