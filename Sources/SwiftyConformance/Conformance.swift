// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The conformance suite: scenarios that every ``/SwiftyTransport/Transport`` must pass, except for those that need a
/// capability that it does not claim.
///
/// In a test of a transport, with one test for each scenario:
///
///     @Test(arguments: Conformance.scenarios)
///     func conforms(_ scenario: ConformanceScenario) async {
///         let result = await Conformance.run(scenario, over: ConformanceSubject("Own") { OwnTransport($0) })
///         #expect(result.deviation(from: knownDeviations) == nil)
///     }
///
/// In XCTest, and elsewhere, all of them at once:
///
///     let report = await Conformance.run(over: ConformanceSubject("Own") { OwnTransport($0) })
///     XCTAssertEqual(report.deviations(from: knownDeviations), [])
///
/// Each scenario starts its own server on 127.0.0.1, and makes its own transport. It fails after a minute, and its
/// servers and transports have half a minute more to end.
public enum Conformance {
    /// All scenarios, by chapter.
    public static let scenarios: [ConformanceScenario] = [
        contract, framing, violations, truncations, heads, requests, limits, errors, timeLimits, cancellation, reuse,
        replay, streams, uploads, proxies, addresses, tls, versions, http2,
    ].flatMap { $0 }

    /// Runs scenarios, several at a time.
    public static func run(
        _ scenarios: [ConformanceScenario] = Conformance.scenarios,
        over subject: ConformanceSubject
    ) async -> ConformanceReport {
        let results = await withTaskGroup(of: (Int, ConformanceResult).self) { group in
            var results = [ConformanceResult?](repeating: nil, count: scenarios.count)
            for (index, scenario) in scenarios.enumerated() {
                if index >= 8, let (index, result) = await group.next() { results[index] = result }
                group.addTask { (index, await run(scenario, over: subject)) }
            }
            for await (index, result) in group { results[index] = result }
            return results.compactMap { $0 }
        }
        return ConformanceReport(subject: subject.name, capabilities: subject.capabilities, results: results)
    }

    /// Runs one scenario; one that needs capabilities that the transport does not claim is replaced by a check that a
    /// load with this demand fails closed.
    public static func run(
        _ scenario: ConformanceScenario,
        over subject: ConformanceSubject
    ) async -> ConformanceResult {
        let missing = scenario.needs.subtracting(subject.capabilities)
        let refusals: ConformanceScenario.Body = { try await checkRefusals(of: missing, $0) }
        let failure = await failure(of: missing.isEmpty ? scenario.body : refusals, over: subject)
        let outcome =
            failure.map { ConformanceResult.Outcome.failed($0) } ?? (missing.isEmpty ? .passed : .notClaimed(missing))
        return ConformanceResult(scenario: scenario, outcome: outcome)
    }

    /// The longest time of one scenario.
    static let timeLimit = Duration.seconds(60)

    /// Runs the content of a scenario; the reason if it failed.
    private static func failure(
        of body: @escaping ConformanceScenario.Body,
        over subject: ConformanceSubject
    ) async -> String? {
        let (outcome, run) = (Promise<String?>(), ConformanceRun(subject))
        let work = Task {
            do {
                try await body(run)
                outcome.resolve(nil)
            } catch {
                outcome.resolve("\(error)")
            }
        }
        // Not a task group, which would wait for a transport that never returns.
        let timer = Task {
            try await Task.sleep(for: timeLimit)
            outcome.resolve("it has not ended after \(timeLimit)")
            work.cancel()
        }
        let reason = await outcome.value()
        timer.cancel()
        let hasEnded = await run.end()
        return reason ?? (hasEnded ? nil : "its transports and servers have not ended in time")
    }
}
