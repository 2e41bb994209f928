// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@testable import WebServiceDSL

@Suite("The fast way through a path template")
struct PlainTemplateTests {
    private static let pieces = [
        "a", "B7", "_-", "~", "/", "//", ".", "..", ".well-known", "%2e", "%2E", "%", "{x}", "{y}", "{", "}", "{}",
        "{x?}",
        "?", "?q=1", "&", "=", "#", ":", "://", "http", "\\", "é", "\u{301}", " ", "\r\n", "\0", "\u{7F}", "@", "+",
    ]
    private static let values = ["1", ".", "..", "", "a.b", "a/b", "é", "?", "%2e", "{x}", "\r\n"]
    private static let bases = ["https://a", "https://a/", "https://a/v1?k=1", "https://a/v1/?"]

    private func outcome(
        _ template: PathTemplate,
        _ base: String,
        _ variables: PathVariables
    ) throws -> Result<TargetURI, WrittenError> {
        let base = BaseTarget(try TargetURI(base))
        do throws(SwiftyError) {
            return .success(try template.join(to: base, variables))
        } catch {
            return .failure(WrittenError(code: error.code, reason: error.reason))
        }
    }

    private struct WrittenError: Error, Equatable {
        let code: SwiftyError.Code
        let reason: String
    }

    private func compare(_ text: String, _ base: String, _ variables: PathVariables) throws {
        let careful = PathTemplate(text, plain: nil)
        #expect(
            try outcome(PathTemplate(text), base, variables) == outcome(careful, base, variables),
            "\(text.debugDescription)"
        )
        #expect(PathTemplate(text).name == careful.name, "\(text.debugDescription)")
    }

    @Test("has the results of the careful one, for each pair and triple of tricky pieces")
    func allPieces() throws {
        for first in Self.pieces {
            try compare(first, "https://a/v1", [:])
            for second in Self.pieces {
                try compare(first + second, "https://a", ["x": "1"])
                try compare("a/" + first + second + "/b", "https://a/v1/", ["x": "."])
            }
        }
    }

    @Test("has the results of the careful one, for random templates and values")
    func random() throws {
        for _ in 0..<4_000 {
            let text = (0..<Int.random(in: 1...7)).map { _ in Self.pieces.randomElement() ?? "" }.joined()
            var variables: PathVariables = [:]
            for name in ["x", "y", "z"].prefix(Int.random(in: 0...3)) { variables[name] = Self.values.randomElement() }
            try compare(text, Self.bases.randomElement() ?? "", variables)
        }
    }

    @Test(
        "is the one that common templates take",
        arguments: [
            "", "ip", "/ip", "users/{user}/repos?per_page=100", "v1/a.json", "v1/items:batch", "a/{x}{y}", "a?b={x}",
            "a?b?c",
        ]
    )
    func isTaken(text: String) {
        #expect(PlainTemplate(text) != nil)
    }
}
