// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The normal form of hosts, in which they are compared, looked up and sent to servers.
///
/// Every URI and every setting with a host is normalized when it is parsed. Everything that is stored by host (pins,
/// credentials, cookies, limits) can therefore compare strings.
///
/// | written | normal form |
/// |---|---|
/// | `Example.COM`, `example.com.` | `example.com` |
/// | `192.0.2.1`, `192.0.2.1.`, `[::ffff:192.0.2.1]`, `[::FFFF:c000:201]` | `192.0.2.1` |
/// | `[2001:DB8:0:0:0::1]` | `[2001:db8::1]` (RFC 5952 §4) |
/// | `127.1`, `0x7f.0.0.1`, `0177.0.0.1`, `2130706433` | refused |
/// | `[fe80::1%25eth0]`, percent-encoded and international names | refused |
package enum HostName {
    /// Returns the normal form of a URI's host.
    ///
    /// - Throws: ``TargetURI/ValidationError`` unless it is a DNS name, a full dotted IPv4 address or a bracketed IPv6
    ///   address. Abbreviated and non-decimal IPv4 forms are refused, because resolvers interpret them differently.
    static func normalize(_ host: Substring) throws(TargetURI.ValidationError) -> String {
        if host.isEmpty { throw TargetURI.ValidationError(reason: "it has no host") }
        if host.utf8.first == UInt8(ascii: "[") { return try normalizeIPv6(host) }
        guard host.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-._".utf8.contains($0) }) else {
            let hint = host.utf8.allSatisfy { $0 < 0x80 } ? "" : "; write an international name in its xn-- form"
            throw TargetURI.ValidationError(reason: "its host \"\(host)\" is not a valid name\(hint)")
        }
        // A final dot does not change the meaning of a name, so both spellings must be one host.
        let name = host.utf8.last == UInt8(ascii: ".") ? host.dropLast() : host
        try checkLabels(name)
        return name.lowercased()
    }

    /// Returns the normal form of a host in a setting, where an IPv6 address needs no brackets; `nil` if it is not
    /// valid.
    package static func normalForm(_ host: some StringProtocol) -> String? {
        let isBareIPv6 = host.utf8.contains(UInt8(ascii: ":")) && host.utf8.first != UInt8(ascii: "[")
        return try? normalize(isBareIPv6 ? "[\(host)]" : Substring(host))
    }

    /// Whether a string can be the value of `Host` (RFC 9112 §3.2): a host, perhaps with a port, or nothing. A value
    /// that another parser would split elsewhere (`evil/x`, `u@evil`, `x, y`) could lead it to another host.
    package static func isHostField(_ value: String) -> Bool {
        if value.isEmpty { return true }
        guard !value.utf8.contains(where: { "/?#@,".utf8.contains($0) }) else { return false }
        return (try? TargetURI("http://\(value)")) != nil
    }

    private static func normalizeIPv6(_ host: Substring) throws(TargetURI.ValidationError) -> String {
        if let address = NumericAddress(host) { return address.uriHost }
        let hint = host.contains("%") ? "; leave out its zone (%), which has a meaning on this machine only" : ""
        throw TargetURI.ValidationError(reason: "its host \"\(host)\" is not a valid IPv6 address\(hint)")
    }

    private static func checkLabels(_ name: Substring) throws(TargetURI.ValidationError) {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else {
            throw TargetURI.ValidationError(reason: "its host \"\(name)\" has an empty or too long label")
        }
        guard let last = labels.last, isNumeric(last), !isDottedDecimal(labels) else { return }
        guard let address = NumericAddress(abbreviated: String(name)) else {
            throw TargetURI.ValidationError(reason: "its host \"\(name)\" is not a valid IPv4 address")
        }
        throw TargetURI.ValidationError(
            reason: "its host \"\(name)\" is an IPv4 address in an unusual form; write \(address.uriHost)"
        )
    }

    private static func isNumeric(_ label: Substring) -> Bool {
        label.utf8.isDecimal
            || (label.lowercased().hasPrefix("0x") && label.dropFirst(2).utf8.allSatisfy(\.isASCIIHexDigit))
    }

    private static func isDottedDecimal(_ labels: [Substring]) -> Bool {
        labels.count == 4
            && labels.allSatisfy { label in
                guard label.utf8.count <= 3, label == "0" || label.first != "0", let number = Int(label) else {
                    return false
                }
                return number <= 255
            }
    }
}
