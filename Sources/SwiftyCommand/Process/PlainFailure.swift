// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftyTransport

/// A failure of the library about a file, not about a request: its reason is the message.
struct PlainFailure: Error, CustomStringConvertible {
    let description: String
    let status: ExitStatus

    init(_ error: SwiftyError) {
        description = error.reason
        status = ExitStatus(of: error)
    }

    /// Runs work whose errors are about files.
    static func catching<Result>(_ work: () async throws -> Result) async throws -> Result {
        do { return try await work() } catch let error as SwiftyError {
            throw PlainFailure(error)
        }
    }
}
