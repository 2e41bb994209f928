// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import WebServiceDSL

@Suite("URI Templates of random pieces", .timeLimit(.minutes(15)))
struct URITemplateSweepTests {
    private typealias Variables = [String: URITemplate.Value]

    private static let pieces = [
        "{", "}", "{", "}", ",", "x", ":", "*", ":3", "0", "9999", ".", "/", "?", "!", "=", "@", "|", "$", "-", "_",
        "~", "%", "%41", "%c3%A9", "é", "\u{301}", "𝄞", " ", "\"", "'", "<", "\\", "^", "`", "[", "]", "\0", "\r\n",
        "\u{7F}", "\u{85}", "\u{FFFF}",
    ]
    private static let names = ["x", "y", "z", "u", "x.y", "_", "%41"]
    private static let words = [
        "", "a", "B7", "-._~", "/", "?", "#", "&", "=", ",", ";", "%", "%4", "%41", "%c3%A9", "%FF", "%F0%9D%84%9E",
        "é", "e\u{301}", "𝄞", " ", "{x}", "\"", "\0", "\r\n", "[", "!", "..",
    ]

    private struct Source {
        var random: SplitMix

        mutating func count(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

        mutating func element(of strings: [String]) -> String { strings.randomElement(using: &random) ?? "" }

        mutating func text() -> String { (0..<count(0...4)).map { _ in element(of: words) }.joined() }

        mutating func variable() -> String {
            element(of: names) + element(of: ["", "", "*", "*", ":\(count(1...9))"])
        }

        /// A valid expression, with one of some operators.
        mutating func expression(_ operators: [String]) -> String {
            let variables = (0...count(0...3)).map { _ in variable() }
            return "{\(element(of: operators))\(variables.joined(separator: ","))}"
        }

        /// Expressions and literals, in which pieces are inserted or replace a character.
        mutating func template(replacements: Int) -> String {
            let operators = ["", "+", "#", ".", "/", ";", "?", "&"]
            let parts = (0..<count(1...3)).map { _ in expression(operators) + element(of: ["", "/a", "é", "%41"]) }
            var characters = Array(parts.joined().unicodeScalars)
            for _ in 0..<replacements where !characters.isEmpty {
                let start = count(0...characters.count - 1)
                let piece = element(of: pieces).unicodeScalars
                characters.replaceSubrange(start..<start + count(0...1), with: piece)
            }
            return String(String.UnicodeScalarView(characters))
        }

        mutating func value() -> URITemplate.Value {
            switch count(0...3) {
            case 0: .list((0..<count(0...3)).map { _ in text() })
            case 1: .pairs((0..<count(0...3)).map { _ in .init(name: text(), value: text()) })
            default: .text(text())
            }
        }

        mutating func variables() -> Variables {
            var variables: Variables = [:]
            for name in names where count(0...4) > 0 { variables[name] = value() }
            return variables
        }
    }

    private func result(_ text: String, _ variables: Variables) -> Result<String, ReferenceURITemplate.Failure> {
        do {
            return .success(try URITemplate(text).expand(variables))
        } catch {
            return .failure(error is URITemplate.ExpansionError ? .prefix : .noTemplate)
        }
    }

    private func compare(_ text: String, _ variables: Variables, _ reference: ReferenceURITemplate) {
        let expected = Result { try reference.expand(text, variables) }
            .mapError { $0 as? ReferenceURITemplate.Failure ?? .noTemplate }
        #expect(result(text, variables) == expected, "\(text.debugDescription) \(variables)")
    }

    @Test("have the results of the reference, with up to three pieces at wrong places", arguments: 0...3)
    func reference(replacements: Int) throws {
        let reference = try ReferenceURITemplate()
        var source = Source(random: SplitMix(seed: 6_570))
        for _ in 0..<2_000 { compare(source.template(replacements: replacements), source.variables(), reference) }
    }

    /// The expansion without its percent-encoded triplets; `nil` if a percent sign begins none.
    private func plainCharacters(_ expansion: String) -> Set<Character>? {
        let parts = expansion.split(separator: "%", omittingEmptySubsequences: false)
        let digits = parts.dropFirst().map { $0.prefix(2) }
        guard digits.allSatisfy({ $0.count == 2 && UInt8($0, radix: 16) != nil }) else { return nil }
        return Set((parts.prefix(1) + parts.dropFirst().map { $0.dropFirst(2) }).joined())
    }

    @Test(
        "have only unreserved characters, triplets and separators, unless the operator keeps others",
        arguments: [
            ("", ",="), (".", ".,="), ("/", "/,="), (";", ";,="), ("?", "?&,="), ("&", "&,="),
            ("+", ":/?#[]@!$&'()*+,;="), ("#", ":/?#[]@!$&'()*+,;="),
        ]
    )
    func characters(sign: String, separators: String) throws {
        let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        var source = Source(random: SplitMix(seed: 2_396))
        for _ in 0..<1_000 {
            let template = try URITemplate(source.expression([sign]))
            guard let expansion = try? template.expand(source.variables()) else { continue }
            let characters = try #require(plainCharacters(expansion), "\(expansion)")
            #expect(characters.isSubset(of: unreserved + separators), "\(template): \(expansion)")
        }
    }
}
