// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyAsyncHTTPClient
import SwiftyConformance
import Testing

@Suite("Conformance", .timeLimit(.minutes(15)))
struct ConformanceTests {
    static let subject = ConformanceSubject("AsyncHTTPClient") { AsyncHTTPClientTransport(settings: $0) }

    /// What AsyncHTTPClient does instead of what a scenario demands.
    static let deviations = [
        "framing/bare-line-feeds": "refuses the response",
        "framing/folded-field": "refuses the response",
        "violations/chunked-twice": "reads the chunks",
        "violations/chunked-not-last": "reads up to the end of the connection",
        "violations/unknown-coding": "reads up to the end of the connection",
        "proxies/absolute-form": "opens a tunnel also for `http`",
        "proxies/authentication": "opens a tunnel also for `http`",
        "proxies/tunnel": "counts the request as `maybeSent`",
    ]

    @Test("AsyncHTTPClient passes what it claims, except for what is known", arguments: Conformance.scenarios)
    func conforms(_ scenario: ConformanceScenario) async {
        let result = await Conformance.run(scenario, over: Self.subject)
        let deviation = result.deviation(from: Set(Self.deviations.keys))
        #expect(deviation == nil, "\(scenario.sentence)")
    }

    @Test("the column of Docs/Transports.md is what the suite says")
    func document() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../../../Docs/Transports.md").standardizedFileURL
        let text = try String(contentsOf: path, encoding: .utf8)
        let updated = ConformanceDocument.updating(text, for: Self.subject, deviations: Self.deviations)
        if ProcessInfo.processInfo.environment["SWIFTY_WRITE_CONFORMANCE"] != nil {
            return try updated.write(to: path, atomically: true, encoding: .utf8)
        }
        #expect(text == updated, "SWIFTY_WRITE_CONFORMANCE=1 writes the column")
    }
}
