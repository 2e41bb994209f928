// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import SwiftyTesting
public import Testing

/// A trait of tests whose requests are recorded once, and replayed from then on; see
/// ``recorded(_:mode:redaction:callerFile:)``.
public struct RecordedTrait: TestTrait, SuiteTrait, TestScoping {
    /// Each test has its own replay.
    public var isRecursive: Bool { true }

    let name: String
    let mode: RecordMode
    let redaction: CassetteRedaction
    let callerFile: String

    /// Runs a test with the cassette. Each case of a parameterized test begins at the cassette's beginning.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withCassette(name, mode: mode, redaction: redaction, callerFile: callerFile, function)
    }
}

extension Trait where Self == RecordedTrait {
    /// Records the requests of a test the first time, and replays them from then on.
    ///
    ///     @Test(.recorded("busy-then-fine")) func retries() async throws { … }     // Mocks/busy-then-fine.har
    ///
    /// The parameters are those of `withCassette`. Tests that share a cassette must not record it at the same time.
    public static func recorded(
        _ name: String,
        mode: RecordMode = .once,
        redaction: CassetteRedaction = CassetteRedaction(),
        callerFile: String = #filePath
    ) -> RecordedTrait {
        RecordedTrait(name: name, mode: mode, redaction: redaction, callerFile: callerFile)
    }
}
