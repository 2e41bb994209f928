// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension PublicSuffixList {
    /// Makes a list from a file in the format of publicsuffix.org.
    ///
    /// The list must be whole: at least 1,000 rules, among them `com`, `net`, `org`, `co.uk`, `co.jp`, one that begins
    /// with `*.` and one with `!`, and an end of each section that it begins. Another file, such as the web page of a
    /// failed download, would allow cookies for what it does not name.
    ///
    /// - Throws: ``CookieJar/FileError`` if the file cannot be read or is no such list.
    public init(contentsOfFile path: String) throws(CookieJar.FileError) {
        let content: [UInt8]
        do throws(FileFailure) {
            content = try Array(FileContent.read(path, as: .regular(maximum: CookieFile.maximumSize)))
        } catch {
            throw CookieJar.FileError(error, path: path)
        }
        let rules = Self.parse(content)
        if let reason = rules.incompleteness ?? Self.truncation(of: content) {
            throw CookieJar.FileError(.damaged(line: 1), path: path, reason: reason)
        }
        self.init(rules: rules)
    }

    /// Makes a list from rules in the format of publicsuffix.org, which may be a part of that list.
    public init(text: String) {
        self.init(rules: Self.parse(Array(text.utf8)))
    }

    static func loadSystemList() -> PublicSuffixList? {
        let paths = ["/usr/share/publicsuffix", "/usr/local/share/publicsuffix", "/opt/homebrew/share/publicsuffix"]
        return paths.firstResult { try? PublicSuffixList(contentsOfFile: $0 + "/public_suffix_list.dat") }
    }

    /// The reason for which a list is cut off: a section begins (`// ===BEGIN ICANN DOMAINS===`) and does not end.
    private static func truncation(of bytes: [UInt8]) -> String? {
        let lines = bytes.split(whereSeparator: isLineEnd)
        let begins = lines.count { $0.starts(with: "// ===BEGIN ".utf8) }
        let ends = lines.count { $0.starts(with: "// ===END ".utf8) }
        return begins == ends ? nil : "it is cut off: a section has no end"
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func parse(_ bytes: [UInt8]) -> Rules {
        var rules = Rules()
        for line in bytes.split(whereSeparator: isLineEnd) where !line.starts(with: "//".utf8) {
            // A rule ends at the first space or tab.
            rules.add(line.prefix { $0 != 0x20 && $0 != 0x09 })
        }
        return rules
    }
}

extension PublicSuffixList.Rules {
    /// The reason for which the rules cannot be those of the whole list; `nil` if they can.
    fileprivate var incompleteness: String? {
        let isWhole =
            count >= Self.minimumCount && exact.isSuperset(of: Self.knownRules) && !wildcards.isEmpty
            && !exceptions.isEmpty
        if isWhole { return nil }
        return "it is no public suffix list, which has at least \(Self.minimumCount) rules, among them "
            + "\(Self.knownRules.sorted().joined(separator: ", ")), and rules with *. and with !"
    }

    private static let minimumCount = 1000
    private static let knownRules: Set<String> = ["com", "net", "org", "co.uk", "co.jp"]

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
