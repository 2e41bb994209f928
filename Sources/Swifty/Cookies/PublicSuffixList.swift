// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The domains under which anyone can register a name, such as `com` and `co.uk`; no cookie may be set for them.
///
/// The rules are those of the Public Suffix List, read from a file, which Swifty does not include. Without a file, a
/// built-in rule applies: a name without a dot is a public suffix, and so is one like `co.uk`, of a two-letter country
/// and a label that countries use for registrations. It does not know `github.io`: install the list (Debian:
/// `publicsuffix`).
///
/// Source: publicsuffix.org/list.
public struct PublicSuffixList: Sendable {
    struct Rules: Sendable {
        var exact: Set<String> = []
        /// The names after `*.`.
        var wildcards: Set<String> = []
        /// The names after `!`.
        var exceptions: Set<String> = []
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
    public var ruleCount: Int {
        rules.map { $0.exact.count + $0.wildcards.count + $0.exceptions.count } ?? 0
    }

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

    private func suffixLength(of labels: [String]) -> Int {
        guard let rules else { return BuiltInSuffixes.length(of: labels) }
        let tails = labels.indices.map { labels[$0...].joined(separator: ".") }
        // An exception is a registrable domain; otherwise the rule with the most labels counts, and `*` without a rule.
        if let index = tails.firstIndex(where: rules.exceptions.contains) { return labels.count - index - 1 }
        let index = tails.indices.first { index in
            rules.exact.contains(tails[index])
                || index + 1 < tails.count && rules.wildcards.contains(tails[index + 1])
        }
        return index.map { labels.count - $0 } ?? 1
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

extension PublicSuffixList {
    /// Makes a list from a file in the format of publicsuffix.org.
    ///
    /// - Throws: ``CookieJar/FileError`` if the file cannot be read or has no rule.
    public init(contentsOfFile path: String) throws(CookieJar.FileError) {
        let content: [UInt8]
        do throws(UnreadableFile) {
            content = try Array(FileContent.read(path, as: .regular(maximum: CookieFile.maximumSize)))
        } catch {
            throw CookieJar.FileError(error, path: path)
        }
        let rules = Self.parse(content)
        if rules.exact.isEmpty { throw CookieJar.FileError(.damaged(line: 1), path: path, reason: "it has no rule") }
        self.init(rules: rules)
    }

    /// Makes a list from a text in the format of publicsuffix.org.
    public init(text: String) {
        self.init(rules: Self.parse(Array(text.utf8)))
    }

    static func loadSystemList() -> PublicSuffixList? {
        let paths = ["/usr/share/publicsuffix", "/usr/local/share/publicsuffix", "/opt/homebrew/share/publicsuffix"]
        return paths.lazy.compactMap { try? PublicSuffixList(contentsOfFile: $0 + "/public_suffix_list.dat") }.first
    }

    private static func parse(_ bytes: [UInt8]) -> Rules {
        var rules = Rules()
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) where !line.starts(with: "//".utf8) {
            // A rule ends at the first space or tab.
            rules.add(line.prefix { $0 != 0x20 && $0 != 0x09 })
        }
        return rules
    }
}

extension PublicSuffixList.Rules {
    fileprivate mutating func add(_ rule: ArraySlice<UInt8>) {
        switch rule.first {
        case nil: break
        case UInt8(ascii: "!"): insert(rule.dropFirst(), into: \.exceptions)
        case UInt8(ascii: "*") where rule.count > 2: insert(rule.dropFirst(2), into: \.wildcards)
        default: insert(rule, into: \.exact)
        }
    }

    private mutating func insert(_ name: ArraySlice<UInt8>, into set: WritableKeyPath<Self, Set<String>>) {
        let text = String(decoding: name, as: UTF8.self)
        if name.allSatisfy({ $0 < 0x80 }) {
            self[keyPath: set].insert(text.lowercased())
        } else {
            let labels = text.split(separator: ".").map { Punycode.asciiLabel($0) ?? "" }
            self[keyPath: set].insert(labels.joined(separator: "."))
        }
    }
}

/// The rule that applies without a list. In doubt, a domain counts as a public suffix.
enum BuiltInSuffixes {
    /// Labels below which countries register names.
    private static let secondLevels: Set<String> = [
        "ac", "ad", "adm", "asn", "biz", "co", "com", "conf", "ed", "edu", "firm", "gc", "gen", "go", "gob", "gouv",
        "gov", "govt", "gr", "gub", "id", "idf", "idv", "ind", "inf", "info", "int", "k12", "lg", "ltd", "me", "mi",
        "mil", "mod", "msk", "muni", "my", "name", "ne", "net", "nhs", "nic", "nom", "nsw", "or", "org", "plc",
        "police", "pp", "press", "presse", "pro", "qld", "res", "sch", "school", "sld", "spb", "store", "tm", "vic",
        "web",
    ]

    static func length(of labels: [String]) -> Int {
        guard labels.count > 1, let country = labels.last, country.utf8.count == 2,
            secondLevels.contains(labels[labels.count - 2])
        else { return 1 }
        return 2
    }
}
