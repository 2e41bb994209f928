// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyConformance
import SwiftyTransport
import Testing

@Suite("Conformance", .timeLimit(.minutes(15)))
struct ConformanceTests {
    @Test("libcurl passes every scenario", arguments: Conformance.scenarios)
    func curl(_ scenario: ConformanceScenario) async {
        let result = await Conformance.run(scenario, over: .curl)
        #expect(result.outcome == .passed, "\(scenario.sentence)")
    }

    @Test("the stub passes those that need no network", arguments: Conformance.scenarios)
    func stub(_ scenario: ConformanceScenario) async {
        let result = await Conformance.run(scenario, over: .stub)
        let missing = scenario.needs.subtracting(ConformanceSubject.stub.capabilities)
        #expect(result.outcome == (missing.isEmpty ? .passed : .notClaimed(missing)), "\(scenario.sentence)")
    }

    @Test("URLSession passes those that it claims, except for what is known", arguments: Conformance.scenarios)
    func urlSession(_ scenario: ConformanceScenario) async {
        if KnownDeviations.fatal.keys.contains(scenario.name) { return }
        let result = await Conformance.run(scenario, over: .urlSession)
        let deviation = result.deviation(from: Set(KnownDeviations.urlSession.keys))
        #expect(deviation == nil, "\(scenario.sentence)")
    }

    @Test(
        "URLSession keeps the contract with a configuration of the user's own",
        arguments: Conformance.scenarios.filter { ["contract", "time", "replay", "reuse"].contains($0.chapter) }
    )
    func urlSessionConfiguration(_ scenario: ConformanceScenario) async {
        if KnownDeviations.fatal.keys.contains(scenario.name) { return }
        let result = await Conformance.run(scenario, over: .configuredURLSession)
        let deviation = result.deviation(from: Set(KnownDeviations.urlSession.keys))
        #expect(deviation == nil, "\(scenario.sentence)")
    }

    @Test("the names of scenarios are unique, and known deviations have one of them")
    func names() {
        let names = Conformance.scenarios.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count >= 150)
        #expect(Set(KnownDeviations.urlSession.keys).isSubset(of: names))
        #expect(Set(KnownDeviations.fatal.keys).isSubset(of: names))
    }
}
