// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing
import WebServiceDSL

@Suite("The parser of URI Templates", .timeLimit(.minutes(15)))
struct URITemplateParsingTests {
    typealias Kind = URITemplate.ParseError.Kind

    private func expectError(_ text: String, _ kind: Kind, _ offset: Int) {
        let error = #expect(throws: URITemplate.ParseError.self, "\(text.debugDescription)") { try URITemplate(text) }
        #expect(error?.kind == kind, "\(text.debugDescription)")
        #expect(error?.offset == offset, "\(text.debugDescription)")
    }

    @Test(
        "says where braces do not fit",
        arguments: [
            ("{/id*", .unclosedExpression, 0), ("a{", .unclosedExpression, 1), ("{a{b}", .unclosedExpression, 0),
            ("é{a}{b", .unclosedExpression, 5), ("/id*}", .unopenedExpression, 4), ("{a}}", .unopenedExpression, 3),
        ] as [(String, Kind, Int)]
    )
    func braces(text: String, kind: Kind, offset: Int) {
        expectError(text, kind, offset)
    }

    @Test(
        "says where an operator is reserved or unknown",
        arguments: [
            ("{=path}", .reservedOperator, 1), ("{|var*}", .reservedOperator, 1), ("{!hello}", .reservedOperator, 1),
            ("x{@a}", .reservedOperator, 2), ("{,a}", .reservedOperator, 1), ("{$var}", .unknownOperator, 1),
            ("/people/{~thing}", .unknownOperator, 9), ("?{-join|&|var,list}", .unknownOperator, 2),
            ("{var}{-prefix|/-/|var}", .unknownOperator, 6), ("{(a}", .unknownOperator, 1),
            ("{\"a\"}", .unknownOperator, 1),
        ] as [(String, Kind, Int)]
    )
    func operators(text: String, kind: Kind, offset: Int) {
        expectError(text, kind, offset)
    }

    @Test(
        "says where a name is invalid",
        arguments: [
            ("{/?id}", .invalidName, 2), ("{??hello}", .invalidName, 2), ("{with space}", .invalidName, 5),
            ("{ leading_space}", .invalidName, 1), ("{trailing_space }", .invalidName, 15),
            ("{?empty=default,var}", .invalidName, 7), ("x{?empty|foo=none}", .invalidName, 8),
            ("/h{#hello+}", .invalidName, 9), ("/h#{hello+}", .invalidName, 9), ("{x.}", .invalidName, 3),
            ("/{default-graph-uri}", .invalidName, 9), ("/sparql{?query,default-graph-uri}", .invalidName, 22),
            ("/sparql{?query){&default-graph-uri*}", .unclosedExpression, 7), ("{x..y}", .invalidName, 3),
            ("/resolution{?x, y}", .invalidName, 15), ("{..x}", .invalidName, 2), ("{é}", .invalidName, 1),
            ("{a,b\u{301}}", .invalidName, 4), ("{a\0}", .invalidName, 2), ("{%2x}", .incompleteTriplet, 1),
            ("{a%4}", .incompleteTriplet, 2), ("{a%}41", .incompleteTriplet, 2), ("{}", .missingName, 1),
            ("{?}", .missingName, 2), ("{a,}", .missingName, 3), ("{?a,,b}", .missingName, 4),
            ("{*keys?}", .missingName, 1), ("{:3}", .missingName, 1),
        ] as [(String, Kind, Int)]
    )
    func names(text: String, kind: Kind, offset: Int) {
        expectError(text, kind, offset)
    }

    @Test(
        "says where a modifier is invalid",
        arguments: [
            ("{var:prefix}", .invalidLength, 5), ("{var:}", .invalidLength, 5), ("{var:0}", .invalidLength, 5),
            ("{var:01}", .invalidLength, 5), ("{var:10000}", .invalidLength, 5), ("{var:3x}", .invalidLength, 6),
            ("{var:+3}", .invalidLength, 5), ("{var:٣}", .invalidLength, 5), ("{hello:2*}", .extraModifier, 8),
            ("{;keys:1*}", .extraModifier, 8), ("{a:1:2}", .extraModifier, 4), ("{a*:3}", .extraModifier, 3),
            ("{a**}", .extraModifier, 3), ("{b,a*c}", .extraModifier, 5),
            ("?q={searchTerms}&amp;c={example:color?}", .invalidLength, 32),
            ("{var:99999999999999999999}", .invalidLength, 5),
        ] as [(String, Kind, Int)]
    )
    func modifiers(text: String, kind: Kind, offset: Int) {
        expectError(text, kind, offset)
    }

    @Test(
        "says where a literal has a character that must be percent-encoded",
        arguments: [
            0, 9, 0x0A, 0x1F, 0x7F, 0x20, 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7C, 0x80, 0x9F, 0xFDD0, 0xFDEF, 0xFFF0,
            0xFFFD, 0xFFFF, 0x1_FFFE, 0xE_0000, 0xE_0FFF, 0x10_FFFF,
        ]
    )
    func forbidden(codePoint: UInt32) throws {
        expectError("/é\(try #require(Unicode.Scalar(codePoint))){a}", .forbiddenCharacter, 3)
    }

    @Test(
        "takes the other characters beyond ASCII in a literal",
        arguments: [0xA0, 0xD7FF, 0xE000, 0xFDCF, 0xFDF0, 0xFFEF, 0x1_0000, 0x1_FFFD, 0xE_1000, 0xF_0000, 0x10_FFFD]
    )
    func allowed(codePoint: UInt32) throws {
        _ = try URITemplate("/é\(try #require(Unicode.Scalar(codePoint))){a}")
    }

    @Test("says where a literal has half of a triplet", arguments: ["%", "%4", "%4g", "%{a}", "%é0", "%%41"])
    func triplets(text: String) {
        expectError("a" + text, .incompleteTriplet, 1)
    }

    @Test("describes an error with its place and without the text")
    func description() {
        let error = #expect(throws: URITemplate.ParseError.self) { try URITemplate("/a{secret:0}") }
        let reason = "the length of a prefix is not a number from 1 to 9999"
        #expect(error?.reason == reason)
        #expect(error?.description == "byte 10 of the URI Template: \(reason)")
    }

    @Test(
        "takes every name and modifier of the grammar",
        arguments: [
            ("/{a}{?b,a*,c:3}{&a.b.c}", ["a", "b", "c", "a.b.c"]), ("{_}{A}{a}{%41}", ["_", "A", "a", "%41"]),
            ("{%2F.%c3%a9}", ["%2F.%c3%a9"]), ("{a:1,b:9999,7*}", ["a", "b", "7"]), ("none", []),
        ]
    )
    func names(text: String, names: [String]) throws {
        let template = try URITemplate(text)
        #expect(template.variableNames == names)
        #expect(template.description == text)
    }

    @Test("makes equal templates only of strings that expand alike")
    func equality() throws {
        let template = try URITemplate("caf\u{E9}/{a}")
        #expect(template.description == "caf%C3%A9/{a}")
        #expect(try template == URITemplate("caf%C3%A9/{a}"))
        for other in ["cafe\u{301}/{a}", "caf%c3%a9/{a}", "caf%C3%A9/{a*}", "caf%C3%A9/{+a}", "caf%C3%A9/{a:1}"] {
            #expect(try template != URITemplate(other))
        }
    }
}
