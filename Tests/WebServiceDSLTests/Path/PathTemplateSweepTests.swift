// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@testable import WebServiceDSL

@Suite("Path templates of random pieces", .timeLimit(.minutes(15)))
struct PathTemplateSweepTests {
    private static let pieces = [
        "a", "B7", "_-", "~", "/", "//", ".", "..", ".well-known", "%2e", "%2E", "%", "{x}", "{y}", "{", "}", "{}",
        "{x?}",
        "?", "?q=1", "&", "=", "#", ":", "://", "http", "\\", "é", " ", "\r\n", "\0", "\u{7F}", "@", "+",
    ]
    private static let values = ["1", ".", "..", "", "a.b", "a/b", "é", "?", "%2e", "{x}", "\r\n"]
    private static let bases = ["https://a", "https://a/", "https://a/v1?k=1", "https://a/v1/?"]

    private struct WrittenError: Error, Equatable {
        let code: SwiftyError.Code
        let reason: String
    }

    private func outcome(_ join: () throws(SwiftyError) -> TargetURI) -> Result<TargetURI, WrittenError> {
        do throws(SwiftyError) {
            return .success(try join())
        } catch {
            return .failure(WrittenError(code: error.code, reason: error.reason))
        }
    }

    private func compare(_ text: String, _ base: String, _ variables: PathVariables) throws {
        let base = BaseTarget(try TargetURI(base))
        let result = outcome { () throws(SwiftyError) in try PathTemplate(RequestPath(text)).join(to: base, variables) }
        let expected = outcome { () throws(SwiftyError) in
            try ReferencePathTemplate(text: text).join(to: base, variables)
        }
        #expect(result == expected, "\(text.debugDescription)")
    }

    @Test("have the results of the reference, for each piece and each pair of pieces")
    func allPieces() throws {
        for first in Self.pieces {
            try compare(first, "https://a/v1", [:])
            for second in Self.pieces {
                try compare(first + second, "https://a", ["x": "1"])
                try compare("a/" + first + second + "/b", "https://a/v1/", ["x": "."])
            }
        }
    }

    @Test("have the results of the reference, for random templates and values")
    func random() throws {
        for _ in 0..<4_000 {
            let text = (0..<Int.random(in: 1...7)).map { _ in Self.pieces.randomElement() ?? "" }.joined()
            var variables: PathVariables = [:]
            for name in ["x", "y", "z"].prefix(Int.random(in: 0...3)) { variables[name] = Self.values.randomElement() }
            try compare(text, Self.bases.randomElement() ?? "", variables)
        }
    }

    @Test(
        "have a name without their query",
        arguments: [
            ("", ""), ("ip", "ip"), ("/ip", "/ip"), ("users/{user}/repos?per_page=100", "users/{user}/repos"),
            ("a?b={x}", "a"), ("a?b?c", "a"), ("a/{x}{y}", "a/{x}{y}"), ("?q", ""), ("ü?", "ü"),
        ]
    )
    func names(text: String, name: String) {
        #expect(PathTemplate(RequestPath(text)).path == name)
    }
}
