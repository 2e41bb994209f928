// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SwiftyTesting

/// The recording of what is sent and received.
struct CassetteOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Record requests and responses, without their secrets, to a file (HAR 1.2) that does not exist; answer from \
            one that does. SWIFTY_RECORD=all records it anew, =new adds what it lacks, =none only answers.
            """,
            valueName: "FILE"
        ),
        completion: .file(extensions: ["har"])
    )
    var record: String?
}

extension CassetteOption {
    /// Runs a block that sends requests. The file is written when it has returned.
    func run<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard let record else { return try await body() }
        return try await PlainFailure.catching { try await withCassette(at: AbsolutePath.of(record), body) }
    }
}
