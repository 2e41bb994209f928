// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftyCurl
import SwiftyTestServers
import TestSupport
import Testing

extension StressTests {
    @Test("200 loads to a host that never responds do not delay 1,000 loads to another")
    func silentHost() async throws {
        let (silent, lively) = (try ScriptedServer([.readRequest, .stall]), try LoopbackServer())
        let swifty = Swifty(transport: CurlTransport())
        let base = BaseResource(lively.url, networkInterface: swifty)
        let failures = Failures()
        @Sendable func loadOne() async {
            do throws(SwiftyError) { _ = try await base.get("ip").load() } catch { failures.add(error) }
        }
        let clock = ContinuousClock()
        let alone = await clock.measure { await Self.inFlight(64, of: 1_000) { _ in await loadOne() } }
        let stuck = (0..<200).map { _ in
            Task { await BaseResource(silent.url, networkInterface: swifty).get("never").outcomeError() }
        }
        try await until { swifty.statistics.inFlight == 200 && !silent.log.requests.isEmpty }
        let together = await clock.measure { await Self.inFlight(64, of: 1_000) { _ in await loadOne() } }
        #expect(failures.errors.isEmpty, "\(failures)")
        #expect(swifty.statistics.inFlight == 200)
        #expect(together < alone * 3 + .seconds(5), "\(alone) alone, \(together) beside a silent host")
        #expect(swifty.cancelAllLoads() == 200)
        for load in stuck { #expect(await load.value?.code == .cancelled) }
        await swifty.shutdown()
        try await until { silent.openConnectionCount == 0 }
    }
}

extension NetworkResource {
    /// Loads, and returns only the error.
    fileprivate func outcomeError() async -> SwiftyError? {
        do throws(SwiftyError) {
            _ = try await load()
            return nil
        } catch {
            return error
        }
    }
}
