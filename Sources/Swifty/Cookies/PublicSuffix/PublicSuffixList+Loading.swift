// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension PublicSuffixList {
    /// Reads a list in the format of publicsuffix.org.
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

    /// Makes a list of its text.
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
            // A rule ends at the first blank.
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
