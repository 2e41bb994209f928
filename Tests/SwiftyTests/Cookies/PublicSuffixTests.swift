// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@Suite("Cookies: public suffixes", .timeLimit(.minutes(15)))
struct PublicSuffixTests {
    /// Hosts and their registrable domains, by the rules of `PublicSuffixList.sample`.
    static let rows: [(host: String, registrable: String?)] = [
        ("", nil), (".", nil), ("..", nil),
        // Case, and dots at either end.
        ("COM", nil), ("example.COM", "example.com"), ("WwW.example.COM", "example.com"), ("com.", nil),
        ("example.com.", "example.com"), ("a.example.com.", "example.com"), ("example.com..", nil),
        (".com", nil), (".example", nil), (".example.com", nil), (".example.example", nil), ("a..com", nil),
        // No rule: the last label.
        ("example", nil), ("example.example", "example.example"), ("b.example.example", "example.example"),
        ("a.b.example.example", "example.example"), ("local", nil), ("example.local", "example.local"),
        // One rule of one label.
        ("biz", nil), ("domain.biz", "domain.biz"), ("b.domain.biz", "domain.biz"), ("a.b.domain.biz", "domain.biz"),
        ("net", nil), ("domain.net", "domain.net"),
        // Rules of two labels below it.
        ("com", nil), ("example.com", "example.com"), ("b.example.com", "example.com"),
        ("a.b.example.com", "example.com"), ("uk.com", nil), ("example.uk.com", "example.uk.com"),
        ("b.example.uk.com", "example.uk.com"), ("a.b.example.uk.com", "example.uk.com"), ("test.ac", "test.ac"),
        // A wildcard alone.
        ("mm", nil), ("c.mm", nil), ("b.c.mm", "b.c.mm"), ("a.b.c.mm", "b.c.mm"),
        // All kinds of rules together.
        ("jp", nil), ("test.jp", "test.jp"), ("www.test.jp", "test.jp"), ("ac.jp", nil), ("test.ac.jp", "test.ac.jp"),
        ("www.test.ac.jp", "test.ac.jp"), ("kyoto.jp", nil), ("test.kyoto.jp", "test.kyoto.jp"), ("ide.kyoto.jp", nil),
        ("b.ide.kyoto.jp", "b.ide.kyoto.jp"), ("a.b.ide.kyoto.jp", "b.ide.kyoto.jp"), ("c.kobe.jp", nil),
        ("b.c.kobe.jp", "b.c.kobe.jp"), ("a.b.c.kobe.jp", "b.c.kobe.jp"), ("city.kobe.jp", "city.kobe.jp"),
        ("www.city.kobe.jp", "city.kobe.jp"), ("kobe.jp", "kobe.jp"),
        // A wildcard with an exception.
        ("ck", nil), ("test.ck", nil), ("b.test.ck", "b.test.ck"), ("a.b.test.ck", "b.test.ck"), ("www.ck", "www.ck"),
        ("www.www.ck", "www.ck"),
        // Three labels.
        ("us", nil), ("test.us", "test.us"), ("www.test.us", "test.us"), ("ak.us", nil), ("test.ak.us", "test.ak.us"),
        ("www.test.ak.us", "test.ak.us"), ("k12.ak.us", nil), ("test.k12.ak.us", "test.k12.ak.us"),
        ("www.test.k12.ak.us", "test.k12.ak.us"),
        // International names, in either form.
        ("食狮.com.cn", "xn--85x722f.com.cn"), ("食狮.公司.cn", "xn--85x722f.xn--55qx5d.cn"),
        ("www.食狮.公司.cn", "xn--85x722f.xn--55qx5d.cn"), ("shishi.公司.cn", "shishi.xn--55qx5d.cn"), ("公司.cn", nil),
        ("食狮.中国", "xn--85x722f.xn--fiqs8s"), ("www.食狮.中国", "xn--85x722f.xn--fiqs8s"),
        ("shishi.中国", "shishi.xn--fiqs8s"), ("中国", nil), ("xn--85x722f.com.cn", "xn--85x722f.com.cn"),
        ("xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"), ("xn--55qx5d.cn", nil),
        ("shishi.xn--fiqs8s", "shishi.xn--fiqs8s"), ("xn--fiqs8s", nil), ("a.みんな", "a.xn--q9jyb4c"),
        // Rules in capital letters, and hosts without names.
        ("mixed.example", nil), ("a.MIXED.example", "a.mixed.example"), ("127.0.0.1", nil), ("[::1]", nil),
    ]

    @Test("prints one short line, and not its rules")
    func description() {
        for list in [PublicSuffixList.system, .builtIn] {
            var text = ""
            dump(list, to: &text)
            #expect("\(list)" == "PublicSuffixList(\(list.ruleCount) rules)")
            #expect(String(reflecting: list).count < 100 && text.count < 300, "\(text.prefix(500))")
        }
    }

    @Test("finds the registrable domain of every kind of host")
    func table() {
        #expect(Self.rows.count >= 83)
        for row in Self.rows {
            #expect(PublicSuffixList.sample.registrableDomain(of: row.host) == row.registrable, "\(row.host)")
        }
    }

    @Test("the suffix is the registrable domain without its first label, and a suffix has no registrable domain")
    func consistency() {
        for row in Self.rows {
            let suffix = PublicSuffixList.sample.publicSuffix(of: row.host)
            guard let registrable = row.registrable else {
                #expect(suffix == nil || PublicSuffixList.sample.isPublicSuffix(row.host), "\(row.host)")
                continue
            }
            #expect(suffix.map { registrable.hasSuffix("." + $0) } == true, "\(row.host)")
            #expect(!PublicSuffixList.sample.isPublicSuffix(registrable))
        }
    }

    @Test("without a list, names without a dot and countries' second levels are suffixes")
    func builtIn() {
        let list = PublicSuffixList.builtIn
        for name in ["com", "uk", "CO.UK", "co.uk.", "com.au", "ac.jp", "gov.in", "org.za", "localhost"] {
            #expect(list.isPublicSuffix(name), "\(name)")
        }
        #expect(list.registrableDomain(of: "a.b.example.co.uk") == "example.co.uk")
        #expect(list.registrableDomain(of: "a.example.com") == "example.com")
        #expect(list.registrableDomain(of: "a.example.de") == "example.de")
        #expect(list.ruleCount == 0)
    }

    @Test("the system's list is found, with international and private names")
    func system() {
        let list = PublicSuffixList.system
        #expect(list.ruleCount > 5000)
        for name in ["co.uk", "github.io", "公司.cn", "xn--55qx5d.cn", "c.kobe.jp", "Co.Uk."] {
            #expect(list.isPublicSuffix(name), "\(name)")
        }
        #expect(list.registrableDomain(of: "a.city.kobe.jp") == "city.kobe.jp")
        #expect(list.registrableDomain(of: "www.example.github.io") == "example.github.io")
    }

    @Test("a list that is missing, a folder or empty is a typed error")
    func failures() throws {
        for (path, kind) in [
            ("/nowhere/list.dat", CookieJar.FileError.Kind.unreadable), ("/", .unreadable), ("/dev/null", .unreadable),
        ] {
            let error = #expect(throws: CookieJar.FileError.self) { try PublicSuffixList(contentsOfFile: path) }
            #expect(error?.kind == kind)
            #expect(error?.description.contains(path) == true)
        }
    }

    /// What a file must be to replace the built-in rule.
    static let invalidFiles: [(name: String, text: String)] = [
        ("a web page", "<!DOCTYPE html>\n<html>\n<body>\n<h1>Log in</h1>\ncom\n</body></html>\n"),
        ("binary content", String(repeating: "\u{1}\u{FFFD}\u{0}\n", count: 5000)),
        ("one rule", "com\n"), ("comments", "// com\n// co.uk\n"), ("nothing", ""),
        ("top-level domains", (0..<1500).map { "tld\($0)\n" }.joined() + "com\nnet\norg\n"),
        ("rules without wildcards", wholeList.replacingOccurrences(of: "*.", with: "")),
        ("rules without exceptions", wholeList.replacingOccurrences(of: "!", with: "")),
        ("a list that is cut off", String(wholeList.dropLast(30))),
    ]

    static let wholeList =
        "// ===BEGIN ICANN DOMAINS===\ncom\nnet\norg\nuk\nco.uk\njp\nco.jp\n*.ck\n!www.ck\n"
        + (0..<1500).map { "suffix\($0)\n" }.joined() + "// ===END ICANN DOMAINS===\n"

    @Test("a file that is no public suffix list is an error that says what a list has", arguments: invalidFiles)
    func otherFiles(name: String, text: String) throws {
        let folder = try TemporaryFolder()
        try folder.file("list.dat", text)
        let error = #expect(throws: CookieJar.FileError.self, "\(name)") {
            try PublicSuffixList(contentsOfFile: folder.path("list.dat"))
        }
        #expect(error?.kind == .damaged(line: 1))
        let reason = error?.reason ?? ""
        #expect(reason.contains("1000 rules, among them co.jp, co.uk, com, net, org") || reason.contains("cut off"))
    }

    @Test("a whole list is read from a file, whatever its line ends")
    func wholeFile() throws {
        let folder = try TemporaryFolder()
        for text in [Self.wholeList, Self.wholeList.replacingOccurrences(of: "\n", with: "\r\n")] {
            try folder.file("list.dat", text)
            #expect(try PublicSuffixList(contentsOfFile: folder.path("list.dat")).ruleCount == 1509)
        }
    }

    @Test("the built-in rule applies below top-level domains that a list does not have")
    func floor() {
        let list = PublicSuffixList(text: "com\nde\n")
        for name in ["co.uk", "com.au", "ac.jp"] { #expect(list.isPublicSuffix(name), "\(name)") }
        // The list's rule for `de` is more exact than the built-in one, for which `web.de` is like `co.uk`.
        #expect(list.registrableDomain(of: "a.web.de") == "web.de")
        #expect(list.registrableDomain(of: "a.b.co.uk") == "b.co.uk")
    }

    @Test("encodes labels as in DNS")
    func punycode() {
        let list = PublicSuffixList(text: "example")
        for (label, ascii) in [
            ("bücher", "xn--bcher-kva"), ("BÜCHER", "xn--bcher-kva"), ("münchen-ost", "xn--mnchen-ost-9db"),
            ("faß", "xn--fa-hia"), ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
            ("ليهمابتكلموشعربي؟", "xn--egbpdaj6bu4bxfgehfvwxn"),
            ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"), ("ascii", "ascii"),
        ] {
            #expect(list.registrableDomain(of: label + ".example") == ascii + ".example", "\(label)")
        }
    }
}
