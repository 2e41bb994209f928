// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Testing

/// A rule or a record that is kept by host: an argument of the tests, which try it with all spellings.
struct HostTable: Sendable, CustomTestStringConvertible {
    let name: String
    /// The hosts that the tests can try.
    var hosts = HostSpellings.all
    /// Whether a rule for an invalid host is ignored instead of refused.
    var skipsNonsense = false
    /// Whether a rule for the host `rule` applies to a request to `host`; throws if either spelling is refused.
    let counts: @Sendable (_ rule: String, _ host: String) async throws -> Bool

    var testDescription: String { name }

    static let all = ofTransport + ofPipeline + ofSecrets

    static func target(_ host: String) throws -> TargetURI {
        try TargetURI("https://\(host)/a")
    }

    static func request(_ host: String) throws -> NetworkRequest {
        NetworkRequest(target: try target(host))
    }

    /// The error that the work fails with; `nil` if it succeeds.
    static func failure(of work: () async throws -> Void) async throws -> SwiftyError? {
        do {
            try await work()
            return nil
        } catch let error as SwiftyError {
            return error
        }
    }
}
