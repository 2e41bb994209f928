// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
import Configuration
import Foundation
import Swifty
import SwiftyTestServers
import Testing

@testable import SwiftyConfiguration

@Suite("Hostile values of settings", .timeLimit(.minutes(15)))
struct HostileValueTests {
    private static let values = [
        "", " ", "0", "1", "-1", "none", "true", "9223372036854775807", "9223372036854775808", "60000", "63", "1024",
        "1e308", "1e-308", "nan", "0ms", "1ms", "999999999h", "8589934591GiB", "9007199254740991KiB", "a", "a=b", "a:b",
        ":", "=", "a:1=b", "a.example.com:443=", "https://=https://", "http://a=http://b", "http://a=https://b", "*",
        "folder:", "folder:/nowhere", "-----BEGIN ", "environment", "http://[::1", "http://a:99999", "@", "\u{0}",
        "\u{1F600}", "GET", "veryHigh", "X-Field: a\r\nb", String(repeating: "9", count: 10_000),
        String(repeating: "a,", count: 10_000),
    ]

    @Test("are errors or settings, whatever the setting", arguments: ServiceSettings.entries.map(\.key))
    func read(key: String) {
        for value in Self.values {
            var settings = ServiceSettings()
            let provider = EnvironmentVariablesProvider(environmentVariables: [Scope("swifty").variable(key): value])
            let reading = SettingsReading(
                ServiceSettings.entries.filter { $0.key == key },
                of: ConfigReader(provider: provider).snapshot(),
                at: "swifty",
                into: &settings
            )
            let problems = reading.problems.map(\.description)
            #expect(problems.allSatisfy { $0.utf8.count < 1000 && !$0.contains { $0.isNewline } })
        }
    }

    @Test("that are settings let every load end", arguments: ServiceSettings.entries.map(\.key))
    func load(key: String) async throws {
        let server = try LoopbackServer { $0.serve("/item", Endpoint(Data("item".utf8))) }
        for value in Self.values {
            let variables = [
                // What other settings need, unless it is the one.
                "SWIFTY_ADMISSION_RATE_LIMIT_REQUESTS": "1000", "SWIFTY_ADMISSION_CIRCUIT_BREAKER_FAILURES": "5",
                "SWIFTY_HEDGING_DELAY": "10s", "SWIFTY_REQUEST_COMPRESSION_THRESHOLD": "1",
            ]
            .merging([Scope("swifty").variable(key): value]) { $1 }
            let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
            guard let swifty = try? Swifty(reading: reader) else { continue }
            let base = BaseResource(server.url, networkInterface: swifty)
            _ = try? await base.post("item").text("content").timeout(.seconds(1)).load()
            _ = try? await base.get("item").timeout(.seconds(1)).load()
            await swifty.shutdown()
        }
        await server.stop()
    }
}
#endif
