// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
import Configuration
import Foundation
import Swifty
import Synchronization
import Testing

@testable import SwiftyConfiguration

@Suite("Unknown keys", .timeLimit(.minutes(15)))
struct UnknownKeysTests {
    private static let empty = ConfigReader(provider: InMemoryProvider(values: [:]))

    private func problems(_ unknownKeys: Swifty.UnknownKeys, at scope: ConfigKey = "swifty") -> [String] {
        do {
            _ = try Swifty(reading: Self.empty, at: scope, unknownKeys: unknownKeys)
            return []
        } catch {
            return (error as? Swifty.SettingsError)?.problems.map(\.description) ?? ["\(error)"]
        }
    }

    @Test("are not the variables of tests and of the command")
    func otherVariables() throws {
        let variables = [
            "SWIFTY_RECORD": "1", "SWIFTY_MOCKS": "Mocks", "SWIFTY_CONFIG_DIR": "/x", "SWIFTY_NAME": "stock",
        ]
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
        _ = try Swifty(reading: reader, unknownKeys: .refused(in: .environment { variables }))
    }

    @Test("of an environment are refused, with the variable that was meant")
    func environment() {
        let variables = [
            "SWIFTY_TIMEOUT_TOTAL": "5s", "SWIFTY_RETRY_BACKOFF_INITIAL": "1s", "SWIFTY_COLOR": "blue",
            "SWIFTYNESS": "1", "PATH": "/bin",
        ]
        #expect(
            problems(.refused(in: .environment { variables })) == [
                "SWIFTY_COLOR: there is no such setting",
                "SWIFTY_TIMEOUT_TOTAL: there is no such setting; did you mean SWIFTY_TIMEOUTS_TOTAL?",
            ]
        )
        #expect(problems(.refused(in: .environment { variables }), at: "other") == [])
        #expect(problems(.refused(in: .environment { variables }), at: ConfigKey([])) == [])
    }

    @Test("of a JSON file are refused, at any depth, and so is a value in place of a group")
    func json() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("swifty-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let text =
            #"{"swifty": {"timeouts": "5s", "retry": {"attempts": 2, "backoff": {}}, "tsl": {"trust": 1}}, "x": 1}"#
        try text.write(to: file, atomically: true, encoding: .utf8)
        #expect(
            problems(.refused(in: .json(file: file.path))) == [
                "swifty.retry.attempts: there is no such setting; did you mean swifty.retry.maximumAttempts?",
                "swifty.timeouts: there is no such setting, but swifty.timeouts.total",
                "swifty.tsl.trust: there is no such setting; did you mean swifty.tls.trust?",
            ]
        )
        try "[]".write(to: file, atomically: true, encoding: .utf8)
        #expect(
            problems(.refused(in: .json(file: file.path)))
                == ["swifty.*: has keys that cannot be listed: the file contains no JSON object"]
        )
    }

    @Test("of other sources are given as dotted keys")
    func keys() {
        let keys = ["swifty.name", "swifty.nam", "swifty", "swiftyness.name", "other.name"]
        #expect(
            problems(.refused(in: .keys { keys })) == [
                "swifty: there is no such setting, but swifty.timeouts.total",
                "swifty.nam: there is no such setting; did you mean swifty.name?",
            ]
        )
    }

    @Test("are the keys of the default transport, for an instance over another one")
    func ownTransport() {
        let rule = Swifty.UnknownKeys.refused(in: .keys { ["swifty.transport.loops", "swifty.name"] })
        #expect(problems(rule) == [])
        let error = #expect(throws: Swifty.SettingsError.self) {
            try Swifty(reading: Self.empty, unknownKeys: rule, transport: RecordingTransport())
        }
        #expect(error?.problems.map(\.key) == ["swifty.transport.loops"])
    }

    @Test("are reported without an effect, once for each reading, and only if there are any")
    func reported() throws {
        let reports = Mutex<[Swifty.SettingsError]>([])
        let report = { @Sendable (error: Swifty.SettingsError) in reports.withLock { $0.append(error) } }
        #expect(problems(.reported(in: .keys { ["swifty.nam"] }, to: report)) == [])
        #expect(problems(.reported(in: .keys { ["swifty.name"] }, to: report)) == [])
        #expect(reports.withLock { $0.map { $0.problems.map(\.key) } } == [["swifty.nam"]])
    }

    @Test("are found together with wrong values, and their own values are not shown")
    func together() {
        let variables = ["SWIFTY_NAME": "", "SWIFTY_PASSWORD": "hush"]
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
        let error = #expect(throws: Swifty.SettingsError.self) {
            try Swifty(reading: reader, unknownKeys: .refused(in: .environment { variables }))
        }
        #expect(error?.problems.map(\.key) == ["swifty.name", "SWIFTY_PASSWORD"])
        #expect(error.map { !"\($0)".contains("hush") } == true)
    }
}
#endif
