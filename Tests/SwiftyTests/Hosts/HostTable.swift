// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Testing

/// Something that is kept by host: a row of the test that asks all of them with all spellings.
struct HostTable: Sendable, CustomTestStringConvertible {
    let name: String
    /// The hosts that the table can be asked about here.
    var hosts = HostSpellings.all
    /// Whether a rule for what is no host is left out instead of refused.
    var skipsNonsense = false
    /// Whether what is set for the host `rule` counts for a request to `host`; throws if either is refused.
    let counts: @Sendable (_ rule: String, _ host: String) async throws -> Bool

    var testDescription: String { name }

    static let all = ofTransport + ofPipeline + ofSecrets

    static func target(_ host: String) throws -> TargetURI {
        try TargetURI("https://\(host)/a")
    }

    static func request(_ host: String) throws -> NetworkRequest {
        NetworkRequest(target: try target(host))
    }

    /// With which error the work fails; `nil` if it does not.
    static func failure(of work: () async throws -> Void) async throws -> SwiftyError? {
        do {
            try await work()
            return nil
        } catch let error as SwiftyError {
            return error
        }
    }
}
