// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import SwiftyTransport

/// The outcome of one scenario.
public struct ConformanceResult: Sendable {
    /// Whether a transport kept a promise.
    public enum Outcome: Sendable, Hashable {
        /// It did.
        case passed
        /// It did not; the reason says what it did.
        case failed(String)
        /// It does not claim these capabilities, and each load that demands them, if one can, fails before anything is
        /// sent.
        case notClaimed(TransportCapabilities)
    }

    /// The scenario.
    public let scenario: ConformanceScenario
    /// Its outcome.
    public let outcome: Outcome

    /// Whether the scenario failed.
    public var isFailure: Bool { if case .failed = outcome { true } else { false } }

    /// The reason why the outcome is not the expected one; `nil` if it is.
    ///
    /// - Parameter known: The names of the scenarios that are known to fail. A known failure that passes is reported as
    ///   well.
    public func deviation(from known: Set<String> = []) -> String? {
        switch outcome {
        case .failed(let reason): known.contains(scenario.name) ? nil : "\(scenario.name): \(reason)"
        case .passed, .notClaimed:
            known.contains(scenario.name) ? "\(scenario.name): known to fail, but its outcome is \(outcome)" : nil
        }
    }
}

/// The outcomes of scenarios over one transport.
public struct ConformanceReport: Sendable {
    /// The name of the transport.
    public let subject: String
    /// What it claims.
    public let capabilities: TransportCapabilities
    /// The results, in the order of the scenarios.
    public let results: [ConformanceResult]

    /// The outcomes that are not the expected ones; see ``ConformanceResult/deviation(from:)``. A name that belongs to
    /// no scenario is also reported.
    public func deviations(from known: Set<String> = []) -> [String] {
        let unknown = known.subtracting(results.map(\.scenario.name)).sorted().map { "\($0): no scenario of this name" }
        return results.compactMap { $0.deviation(from: known) } + unknown
    }
}
