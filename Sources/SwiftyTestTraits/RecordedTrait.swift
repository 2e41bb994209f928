// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import SwiftyTesting
public import Testing
import WebServiceDSL

/// A trait of a test whose requests are recorded once, and replayed afterwards; see
/// ``recorded(_:mode:redaction:callerFile:)``.
///
/// It is a trait of single tests: several tests that record to one file would replace each other's requests.
public struct RecordedTrait: TestTrait, TestScoping {
    let name: String
    let mode: RecordMode
    let redaction: CassetteRedaction
    let callerFile: String

    /// Runs a test with the cassette.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` for a parameterized test, whose cases would record one file.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        if test.isParameterized {
            throw SwiftyError(
                .mockUnavailable,
                stage: .building,
                reason: "the cases of a parameterized test cannot share the cassette \"\(name)\": "
                    + "call withCassette in the test, with a name for each case"
            )
        }
        try await withCassette(name, mode: mode, redaction: redaction, callerFile: callerFile, function)
    }
}

extension Trait where Self == RecordedTrait {
    /// Records the requests of a test the first time, and replays them afterwards.
    ///
    ///     @Test(.recorded("busy-then-fine")) func retries() async throws { … }     // Mocks/busy-then-fine.har
    ///
    /// The parameters are those of `withCassette`. Each test has its own cassette, and the cases of a parameterized
    /// test call `withCassette` with a name for each.
    public static func recorded(
        _ name: String,
        mode: RecordMode = .once,
        redaction: CassetteRedaction = CassetteRedaction(),
        callerFile: String = #filePath
    ) -> RecordedTrait {
        RecordedTrait(name: name, mode: mode, redaction: redaction, callerFile: callerFile)
    }
}
