// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyConformance
import SwiftyTesting
import Testing

@Suite("Docs/Transports.md", .timeLimit(.minutes(15)))
struct DocumentTests {
    private static let path = URL(filePath: #filePath).appending(path: "../../../Docs/Transports.md")
        .standardizedFileURL

    @Test("the columns of the main package's transports are what the suite says")
    func columns() throws {
        let text = try String(contentsOf: Self.path, encoding: .utf8)
        let deviations = KnownDeviations.urlSession.merging(KnownDeviations.fatal) { _, fatal in fatal }
        var updated = ConformanceDocument.updating(text, for: .curl)
        updated = ConformanceDocument.updating(updated, for: .urlSession, deviations: deviations)
        updated = ConformanceDocument.updating(updated, for: .stub)
        if ProcessInfo.processInfo.environment["SWIFTY_WRITE_CONFORMANCE"] != nil {
            return try updated.write(to: Self.path, atomically: true, encoding: .utf8)
        }
        #expect(text == updated, "SWIFTY_WRITE_CONFORMANCE=1 writes the columns")
    }

    @Test("a column is replaced alone, and a row without cells disappears")
    func table() {
        let text = """
            before
            <!-- conformance: deviations -->
            |  | Other | StubTransport |
            | --- | --- | --- |
            | `streams/cut` | x |  |
            | `streams/whole` |  | gone |
            <!-- end -->
            after
            """
        let updated = ConformanceDocument.updating(text, for: .stub, deviations: ["contract/redirect": "follows"])
        let row = "| `contract/redirect` |  | follows |\n| `streams/cut` | x |  |\n<!-- end -->\nafter"
        #expect(updated.hasSuffix(row), "\(updated)")
    }
}
