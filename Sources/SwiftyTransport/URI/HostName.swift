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
        guard host.last == "]", isIPv6(host.dropFirst().dropLast()) else {
            throw InvalidTargetURI(reason: "its host \"\(host)\" is not a valid IPv6 address")
        }
        return host.lowercased()
    }

    /// Whether it is an address in one of the forms of RFC 4291 §2.2; without a zone, which means nothing to a peer.
    private static func isIPv6(_ text: Substring) -> Bool {
        let sides = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        guard sides.count <= 2, let first = sides.first, let last = sides.last else { return false }
        // One side is the whole address; of two, either may be empty, and at least one group is left out between them.
        if sides.count == 1 { return groupCount(first, isEnd: true) == 8 }
        guard let before = first.isEmpty ? 0 : groupCount(first, isEnd: false),
            let after = last.isEmpty ? 0 : groupCount(last, isEnd: true)
        else { return false }
        return before + after <= 7
    }

    /// How many groups of 16 bits there are, or `nil` if one is none. Only at the end may two be written as IPv4.
    private static func groupCount(_ text: Substring, isEnd: Bool) -> Int? {
        var groups = text.split(separator: ":", omittingEmptySubsequences: false)
        var count = groups.count
        if isEnd, let last = groups.last, last.contains(".") {
            guard isDottedDecimal(last.split(separator: ".", omittingEmptySubsequences: false)) else { return nil }
            groups.removeLast()
            count += 1
        }
        return groups.allSatisfy { (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isASCIIHexDigit) }
            ? count : nil
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
