// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The domains under which anyone can register a name, such as `com` and `co.uk`; no cookie may be set for them.
///
/// The rules are those of the Public Suffix List, read from a file, which Swifty does not include. Without a file, a
/// built-in rule applies: a name without a dot is a public suffix, and so is one like `co.uk`, of a two-letter country
/// and a label that countries use for registrations. It does not know `github.io`: install the list (Debian:
/// `publicsuffix`). The built-in rule also applies to the names below a top-level domain for which a list has no rule.
///
/// Source: publicsuffix.org/list.
public struct PublicSuffixList: Sendable {
    struct Rules: Sendable {
        var exact: Set<String> = []
        /// The names after `*.`.
        var wildcards: Set<String> = []
        /// The names after `!`.
        var exceptions: Set<String> = []

        var count: Int { exact.count + wildcards.count + exceptions.count }
    }

    /// The system's list, or ``builtIn`` if none is installed. Read once, at the first use.
    public static let system = loadSystemList() ?? builtIn

    /// The built-in rule, which applies without a list.
    public static let builtIn = PublicSuffixList(rules: nil)

    private let rules: Rules?

    init(rules: Rules?) {
        self.rules = rules
    }

    /// The number of rules; zero for ``builtIn``.
    public var ruleCount: Int { rules?.count ?? 0 }

    /// The public suffix at the end of a host's name; `nil` for an address and for an invalid name.
    ///
    /// Case and one dot at the end are ignored. The result is in lower case, without the dot, and has international
    /// labels as `xn--`.
    public func publicSuffix(of host: String) -> String? {
        guard let labels = Self.labels(of: host) else { return nil }
        return labels.suffix(suffixLength(of: labels)).joined(separator: ".")
    }

    /// The domain that was registered: the public suffix and one more label; `nil` if the host has no such label.
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

    /// The number of labels that a domain above a host must have at least, for the host to share cookies with the other
    /// hosts of that domain: one more than the public suffix of the *host*.
    ///
    /// `a.s3.amazonaws.com` has the suffix `s3.amazonaws.com`, so that `amazonaws.com` is too short for it, although it
    /// is no public suffix itself (as by libpsl's `psl_is_cookie_domain_acceptable`). For an address, and for an
    /// invalid name, no domain is long enough.
    func minimumSharedLength(for host: String) -> Int {
        Self.labels(of: host).map { suffixLength(of: $0) + 1 } ?? .max
    }

    private func suffixLength(of labels: [String]) -> Int {
        guard let rules else { return BuiltInSuffixes.length(of: labels) }
        let tails = labels.indices.map { labels[$0...].joined(separator: ".") }
        // An exception is a registrable domain; otherwise the rule with the most labels counts.
        if let index = tails.firstIndex(where: rules.exceptions.contains) { return labels.count - index - 1 }
        let index = tails.indices.first { index in
            rules.exact.contains(tails[index])
                || index + 1 < tails.count && rules.wildcards.contains(tails[index + 1])
        }
        return index.map { labels.count - $0 } ?? BuiltInSuffixes.length(of: labels)
    }

    /// More labels do not fit into the 253 characters of a name (RFC 1035 §2.3.4). Every suffix of a name is looked up,
    /// so their number must be bounded.
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

extension PublicSuffixList: CustomStringConvertible, CustomReflectable {
    /// The number of rules on one short line.
    public var description: String { "PublicSuffixList(\(ruleCount) rules)" }

    /// The ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
