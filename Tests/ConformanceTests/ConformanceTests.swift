// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyCurl
import SwiftyTesting
import SwiftyTransport
import Testing

@Suite("Conformance", .timeLimit(.minutes(15)))
struct ConformanceTests {
    static let curl = ConformanceSubject("CurlTransport") { settings in
        var configuration = CurlTransport.Configuration()
        configuration.settings = settings
        return CurlTransport(configuration: configuration)
    }

    @Test("libcurl passes every scenario", arguments: Conformance.scenarios)
    func curl(_ scenario: ConformanceScenario) async {
        let result = await Conformance.run(scenario, over: Self.curl)
        #expect(result.outcome == .passed, "\(scenario.sentence)")
    }

    @Test("the stub passes those that need no network", arguments: Conformance.scenarios)
    func stub(_ scenario: ConformanceScenario) async {
        let result = await Conformance.run(scenario, over: .stub)
        let missing = scenario.needs.subtracting(ConformanceSubject.stub.capabilities)
        #expect(result.outcome == (missing.isEmpty ? .passed : .notClaimed(missing)), "\(scenario.sentence)")
    }
}
