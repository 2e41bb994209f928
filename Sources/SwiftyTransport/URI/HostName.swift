// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Checks and normalizes the host of a URI.
enum HostName {
    /// Returns the host in lower case.
    ///
    /// - Throws: ``InvalidTargetURI`` for anything that is not a DNS name, a full dotted IPv4 address or a bracketed
    ///   IPv6 address. Abbreviated and non-decimal IPv4 forms are refused, since resolvers read them differently.
    static func normalize(_ host: Substring) throws(InvalidTargetURI) -> String {
        if host.isEmpty { throw InvalidTargetURI(reason: "it has no host") }
        if host.utf8.first == UInt8(ascii: "[") { return try normalizeIPv6(host) }
        guard host.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-._".utf8.contains($0) }) else {
            let hint = host.utf8.allSatisfy { $0 < 0x80 } ? "" : "; write an international name in its xn-- form"
            throw InvalidTargetURI(reason: "its host \"\(host)\" is not a valid name\(hint)")
        }
        try checkLabels(host)
        return host.lowercased()
    }

    private static func normalizeIPv6(_ host: Substring) throws(InvalidTargetURI) -> String {
        let inner = host.dropFirst().dropLast()
        let isAddress =
            host.last == "]" && inner.contains(":")
            && inner.utf8.allSatisfy { $0.isASCIIHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        guard isAddress else { throw InvalidTargetURI(reason: "its host \"\(host)\" is not a valid IPv6 address") }
        return host.lowercased()
    }

    private static func checkLabels(_ host: Substring) throws(InvalidTargetURI) {
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        guard host.utf8.count <= 254, labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else {
            throw InvalidTargetURI(reason: "its host \"\(host)\" has an empty or too long label")
        }
        if let last = labels.last, isNumeric(last), !isDottedDecimal(labels) {
            throw InvalidTargetURI(
                reason: "its host \"\(host)\" is an abbreviated IPv4 address; write all four numbers"
            )
        }
    }

    private static func isNumeric(_ label: Substring) -> Bool {
        label.utf8.allSatisfy(\.isASCIIDigit)
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

extension UInt8 {
    var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }

    var isASCIIHexDigit: Bool { isASCIIDigit || (self | 0x20 >= 0x61 && self | 0x20 <= 0x66) }

    var isASCIILetterOrDigit: Bool { isASCIIDigit || (self | 0x20 >= 0x61 && self | 0x20 <= 0x7A) }
}
