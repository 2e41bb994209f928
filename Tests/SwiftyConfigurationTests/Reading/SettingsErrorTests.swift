// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
import Configuration
import Foundation
import Swifty
import Testing

@testable import SwiftyConfiguration

@Suite("Errors of settings", .timeLimit(.minutes(15)))
struct SettingsErrorTests {
    private func problems(_ variables: [String: String]) -> [String] { SwiftyReadingTests.problems(variables) }

    @Test("have all wrong keys at once, each with its value and what is expected")
    func all() {
        let problems = problems([
            "SWIFTY_TIMEOUTS_TOTAL": "30", "SWIFTY_RETRY_MAXIMUM_ATTEMPTS": "0", "SWIFTY_COALESCES": "on",
            "SWIFTY_CACHE_MODE": "fresh", "SWIFTY_CONTENT_DECODING_MAXIMUM_BYTES": "10MB", "SWIFTY_NAME": "",
            "SWIFTY_RETRY_STATUSES": "502,nine", "SWIFTY_CONNECTIONS_DSCP": "64", "SWIFTY_TIMEOUTS_CONNECT": "0s",
            "SWIFTY_TIMEOUTS_IDLE": "5s",
        ])
        #expect(
            problems == [
                "swifty.timeouts.total: \"30\" is not a duration with a unit, such as 500ms, 2s, 1.5s, 5m or 1h",
                "swifty.timeouts.connect: \"0s\" is not more than zero",
                "swifty.retry.maximumAttempts: \"0\" is not a whole number of at least 1",
                "swifty.retry.statuses: \"502, nine\" is not a whole number from 100 to 599",
                "swifty.cache.mode: \"fresh\" is not one of "
                    + "standard, reload, revalidate, preferStored, onlyStored, none",
                "swifty.coalesces: \"on\" is not true or false",
                "swifty.contentDecoding.maximumBytes: \"10MB\" is not a number of bytes, or one of KiB, MiB or GiB, "
                    + "such as 65536 or 64KiB",
                "swifty.name: \"\" is not text: it is empty",
                "swifty.connections.dscp: \"64\" is not a whole number from 0 to 63",
            ]
        )
    }

    @Test("have a description of several lines, one for each key")
    func description() throws {
        let error = #expect(throws: Swifty.SettingsError.self) {
            try SwiftyReadingTests.settings(["SWIFTY_NAME": "", "SWIFTY_COALESCES": "on"])
        }
        #expect(
            try #require(error).description == """
                2 settings cannot be used:
                swifty.coalesces: "on" is not true or false
                swifty.name: "" is not text: it is empty
                """
        )
    }

    @Test("name the key that another one needs, and excuse what depends on a wrong one")
    func needs() {
        #expect(
            problems(["SWIFTY_ADMISSION_RATE_LIMIT_PERIOD": "1s"])
                == ["swifty.admission.rateLimit.period: has no effect without swifty.admission.rateLimit.requests"]
        )
        #expect(
            problems(["SWIFTY_HEDGING_MAXIMUM_REQUESTS": "3"])
                == ["swifty.hedging.maximumRequests: has no effect without swifty.hedging.delay"]
        )
        #expect(
            problems(["SWIFTY_PROXY_PASSWORD": "secret"])
                == ["swifty.proxy.password: has no effect without swifty.proxy.url"]
        )
        #expect(
            problems(["SWIFTY_ADMISSION_RATE_LIMIT_REQUESTS": "x", "SWIFTY_ADMISSION_RATE_LIMIT_PERIOD": "1s"])
                == ["swifty.admission.rateLimit.requests: \"x\" is not a whole number from 1 to 1000000"]
        )
        #expect(
            problems(["SWIFTY_TLS_IDENTITY_CERTIFICATE_FILE": "a", "SWIFTY_TLS_IDENTITY_PKCS12": "b"])
                == ["swifty.tls.identity.pkcs12: cannot be used together with swifty.tls.identity.certificateFile"]
        )
    }

    @Test("show no secret, and nothing that may be a URL with a password")
    func secrets() {
        let problems = problems([
            "SWIFTY_PROXY_URL": "ftp://shop:hush@proxy.example.com", "SWIFTY_DEFAULT_HEADERS": "Authorization hush",
            "SWIFTY_REROUTES": "https://a:hush@example.com=https://localhost", "SWIFTY_TLS_IDENTITY_PASSWORD": "hush",
        ])
        #expect(problems.count == 4)
        #expect(!problems.joined().contains("hush"))
        #expect(problems.contains { $0.hasPrefix("swifty.proxy.url: REDACTED is not a proxy's URL") })
    }

    @Test("escape control characters and shorten long values")
    func quoted() {
        let problems = problems(["SWIFTY_COALESCES": "a\nb\u{1B}[31m" + String(repeating: "x", count: 1000)])
        #expect(problems.count == 1)
        #expect(problems.allSatisfy { $0.utf8.count < 250 && !$0.contains("\n") && !$0.contains("\u{1B}") })
    }

    @Test("leave the value unchanged")
    func unchanged() {
        var configuration = Swifty.Configuration()
        let reader = SwiftyReadingTests.reader([
            ["swifty", "timeouts", "total"]: "5s", ["swifty", "retry", "maximumAttempts"]: "many",
        ])
        #expect(throws: Swifty.SettingsError.self) { try configuration.read(from: reader, at: "swifty") }
        #expect(configuration.timeouts.total == nil)
    }

    @Test("name lists where one value is expected, and numbers that are no Booleans")
    func types() {
        var configuration = Swifty.Configuration()
        let reader = SwiftyReadingTests.reader([
            ["swifty", "timeouts", "total"]: ConfigValue(.stringArray(["5s"]), isSecret: false),
            ["swifty", "coalesces"]: 2, ["swifty", "name"]: ConfigValue(.bytes([1]), isSecret: false),
            ["swifty", "timeouts", "idle"]: 5,
        ])
        let error = #expect(throws: Swifty.SettingsError.self) { try configuration.read(from: reader, at: "swifty") }
        #expect(
            error?.problems.map(\.key) == [
                "swifty.name", "swifty.timeouts.total", "swifty.timeouts.idle",
                "swifty.coalesces",
            ]
        )
        #expect(error?.problems.map(\.value) == [nil, "\"5s\"", "\"5\"", "\"2\""])
    }

    @Test("are Booleans where a number is wanted, with their key and value")
    func booleans() {
        var configuration = Swifty.Configuration()
        let reader = SwiftyReadingTests.reader([
            ["swifty", "requestCompression", "threshold"]: false, ["swifty", "retry", "maximumAttempts"]: true,
            ["swifty", "retryBudget", "share"]: true,
        ])
        let error = #expect(throws: Swifty.SettingsError.self) { try configuration.read(from: reader, at: "swifty") }
        #expect(
            error?.problems.map(\.description) == [
                "swifty.retry.maximumAttempts: \"true\" is not a whole number of at least 1",
                "swifty.retryBudget.share: \"true\" is not a number of at least 0",
                "swifty.requestCompression.threshold: \"false\" is not a number of bytes, or one of KiB, MiB or GiB, "
                    + "such as 65536 or 64KiB",
            ]
        )
    }

    @Test("name the code and the method that were meant")
    func names() {
        #expect(
            problems(["SWIFTY_RETRY_ERROR_CODES": "connectionLost,timedout", "SWIFTY_RETRY_METHODS": "GET,Post"]) == [
                "swifty.retry.methods: \"GET, Post\" is not a method; did you mean POST?",
                "swifty.retry.errorCodes: \"connectionLost, timedout\" is not the code of an error; "
                    + "did you mean timedOut?",
            ]
        )
        #expect(
            problems(["SWIFTY_RETRY_ERROR_CODES": "weather", "SWIFTY_RETRY_METHODS": "G(T"]) == [
                "swifty.retry.methods: \"G(T\" is not a method; did you mean GET?",
                "swifty.retry.errorCodes: \"weather\" is not the code of an error, such as timedOut",
            ]
        )
        #expect(problems(["SWIFTY_RETRY_METHODS": "GET,PURGE"]) == [])
    }

    @Test("are not the codes of errors, each of which can be set", arguments: SwiftyError.Code.all)
    func codes(code: SwiftyError.Code) throws {
        let settings = try SwiftyReadingTests.settings(["SWIFTY_RETRY_ERROR_CODES": code.rawValue])
        #expect(settings.configuration.retry.errorCodes == [code])
    }

    @Test("have the failure of a provider, instead of a default")
    func failing() {
        var retry = RetryPolicy.standard
        let error = #expect(throws: Swifty.SettingsError.self) {
            try retry.read(from: ConfigReader(provider: FailingProvider()), at: "retry")
        }
        #expect(error?.problems.count == RetryPolicy.entries.count)
        #expect(error?.problems.first?.reason == "cannot be read: the vault is closed")
    }
}

/// A provider that can answer nothing.
private struct FailingProvider: ConfigProvider, ConfigSnapshot {
    private struct Failure: Error, CustomStringConvertible {
        let description = "the vault is closed"
    }

    let providerName = "vault"

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult { throw Failure() }

    nonisolated(nonsending) func fetchValue(
        forKey key: AbsoluteConfigKey,
        type: ConfigType
    ) async throws -> LookupResult { throw Failure() }

    nonisolated(nonsending) func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey,
        type: ConfigType,
        updatesHandler:
            nonisolated(nonsending) (ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws ->
            Return
    ) async throws -> Return {
        try await watchValueFromValue(forKey: key, type: type, updatesHandler: updatesHandler)
    }

    func snapshot() -> any ConfigSnapshot { self }

    nonisolated(nonsending) func watchSnapshot<Return: ~Copyable>(
        updatesHandler:
            nonisolated(nonsending) (ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        try await watchSnapshotFromSnapshot(updatesHandler: updatesHandler)
    }
}
#endif
