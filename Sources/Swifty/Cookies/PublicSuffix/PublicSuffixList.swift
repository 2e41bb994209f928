// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Under which domains anybody can register a name, so that a cookie for all of it must not exist: `com`, `co.uk`.
///
/// The rules are those of the Public Suffix List, read from a file; Swifty ships none. Without a file, a stricter built-in
/// rule counts: a name without a dot is a public suffix, and so is one like `co.uk`, of a two-letter country and a label
/// that countries use for registrations. It does not know `github.io`: install the list (Debian: `publicsuffix`).
///
/// Source: publicsuffix.org/list.
public struct PublicSuffixList: Sendable {
    struct Rules: Sendable {
        var exact: Set<String> = []
        /// What stands after `*.`.
        var wildcards: Set<String> = []
        /// What stands after `!`.
        var exceptions: Set<String> = []
    }

    /// The list of the system, if it is installed, and ``builtIn`` otherwise. Read once, when it is first used.
    public static let system = loadSystemList() ?? builtIn

    /// The rule that counts without a list.
    public static let builtIn = PublicSuffixList(rules: nil)

    private let rules: Rules?

    init(rules: Rules?) {
        self.rules = rules
    }

    /// How many rules the list has; zero for ``builtIn``.
    public var ruleCount: Int {
        rules.map { $0.exact.count + $0.wildcards.count + $0.exceptions.count } ?? 0
    }

    /// The public suffix at the end of a host's name; `nil` for an address and for what is no name.
    ///
    /// Case does not matter, nor does one dot at the end; the result has neither, and international labels as `xn--`.
    public func publicSuffix(of host: String) -> String? {
        guard let labels = Self.labels(of: host) else { return nil }
        return labels.suffix(suffixLength(of: labels)).joined(separator: ".")
    }

    /// The public suffix with one label more: what somebody has registered; `nil` if the host has no such label.
    public func registrableDomain(of host: String) -> String? {
        guard let labels = Self.labels(of: host) else { return nil }
        let length = suffixLength(of: labels)
        return length < labels.count ? labels.suffix(length + 1).joined(separator: ".") : nil
    }

    /// Whether the whole name is a public suffix.
    public func isPublicSuffix(_ domain: String) -> Bool {
        guard let labels = Self.labels(of: domain) else { return false }
        return suffixLength(of: labels) == labels.count
    }

    private func suffixLength(of labels: [String]) -> Int {
        guard let rules else { return BuiltInSuffixes.length(of: labels) }
        let tails = labels.indices.map { labels[$0...].joined(separator: ".") }
        // An exception is a registrable domain; otherwise the rule with the most labels counts, and `*` if there is none.
        if let index = tails.firstIndex(where: rules.exceptions.contains) { return labels.count - index - 1 }
        let index = tails.indices.first { index in
            rules.exact.contains(tails[index])
                || index + 1 < tails.count && rules.wildcards.contains(tails[index + 1])
        }
        return index.map { labels.count - $0 } ?? 1
    }

    /// More do not fit into the 253 characters of a name (RFC 1035 §2.3.4). All ends of a name are looked up, so it must not
    /// have any number.
    private static let maximumLabels = 127

    private static func labels(of host: String) -> [String]? {
        if CookieScope.isAddress(host) { return nil }
        let name = host.utf8.last == UInt8(ascii: ".") ? host.dropLast() : host[...]
        var labels: [String] = []
        for label in name.split(separator: ".", omittingEmptySubsequences: false) {
            guard labels.count < maximumLabels, let label = Punycode.asciiLabel(label) else { return nil }
            labels.append(label)
        }
        return labels
    }
}
