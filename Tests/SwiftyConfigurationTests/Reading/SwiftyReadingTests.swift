// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
import Configuration
import Foundation
import Swifty
import SwiftyCurl
import Testing

@testable import SwiftyConfiguration

@Suite("Reading settings", .timeLimit(.minutes(15)))
struct SwiftyReadingTests {
    static func reader(_ values: [AbsoluteConfigKey: ConfigValue]) -> ConfigReader {
        ConfigReader(provider: InMemoryProvider(values: values))
    }

    /// Settings of an environment.
    static func settings(_ variables: [String: String]) throws -> ServiceSettings {
        var settings = ServiceSettings()
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
        try SettingsReading.read(ServiceSettings.entries, of: reader, at: "swifty", into: &settings)
        return settings
    }

    static func problems(_ variables: [String: String]) -> [String] {
        do {
            _ = try settings(variables)
            return []
        } catch {
            return (error as? Swifty.SettingsError)?.problems.map(\.description) ?? ["\(error)"]
        }
    }

    @Test("leaves the defaults where no provider has a value")
    func defaults() throws {
        #expect(try String(describing: Self.settings([:])) == String(describing: ServiceSettings()))
    }

    @Test("sets policies, lists, groups and the settings of the transport from an environment")
    func environment() throws {
        let settings = try Self.settings([
            "SWIFTY_TIMEOUTS_TOTAL": "5s", "SWIFTY_TIMEOUTS_IDLE": "none",
            "SWIFTY_RETRY_MAXIMUM_ATTEMPTS": "4", "SWIFTY_RETRY_BACKOFF_MULTIPLIER": "3",
            "SWIFTY_RETRY_STATUSES": "502, 503", "SWIFTY_RETRY_METHODS": "GET,PUT",
            "SWIFTY_RETRY_ERROR_CODES": "timedOut", "SWIFTY_RETRY_BUDGET_SHARE": "0.5",
            "SWIFTY_HEDGING_DELAY": "300ms", "SWIFTY_REDIRECTS_MAXIMUM_COUNT": "3",
            "SWIFTY_ADMISSION_RATE_LIMIT_REQUESTS": "10", "SWIFTY_ADMISSION_RATE_LIMIT_PERIOD": "1m",
            "SWIFTY_ADMISSION_CIRCUIT_BREAKER_FAILURES": "7", "SWIFTY_ADMISSION_QUALITY_RULES_POOR_MAXIMUM_LOADS": "1",
            "SWIFTY_COALESCES": "yes", "SWIFTY_COALESCING_IGNORED_FIELDS": "traceparent,X-Request-ID",
            "SWIFTY_CACHE_MODE": "revalidate", "SWIFTY_CONTENT_DECODING_MAXIMUM_BYTES": "8MiB",
            "SWIFTY_REQUEST_COMPRESSION_THRESHOLD": "4KiB", "SWIFTY_REQUEST_COMPRESSION_LEVEL": "9",
            "SWIFTY_DEFAULT_HEADERS": "User-Agent: Shop/1,X-Region: eu:1",
            "SWIFTY_REROUTES": "https://a.example.com=https://localhost:8443",
            "SWIFTY_DEADLINE_FIELD": "grpc-timeout", "SWIFTY_NAME": "shop",
            "SWIFTY_TLS_MINIMUM_VERSION": "1.3", "SWIFTY_TLS_TRUST": "file:/etc/ca.pem",
            "SWIFTY_CONNECTIONS_MAXIMUM_PER_HOST": "8", "SWIFTY_CONNECTIONS_VERSION": "1.1",
            "SWIFTY_ADDRESSES_OVERRIDES": "a.example.com:443=127.0.0.1,a.example.com:443=::1",
            "SWIFTY_TRANSPORT_LOOPS": "2",
        ])
        let configuration = settings.configuration
        #expect(configuration.timeouts == NetworkRequest.Timeouts(total: .seconds(5), connect: .seconds(10)))
        #expect(configuration.retry.maximumAttempts == 4)
        #expect(configuration.retry.backoff == RetryPolicy.Backoff(multiplier: 3))
        #expect(configuration.retry.statuses == [502, 503])
        #expect(configuration.retry.methods == [.get, .put])
        #expect(configuration.retry.errorCodes == [.timedOut])
        #expect(configuration.retryBudget == RetryPolicy.Budget(share: 0.5))
        #expect(configuration.hedging == HedgingPolicy(after: .milliseconds(300)))
        #expect(configuration.redirects.maximumCount == 3)
        #expect(configuration.admission.rateLimit == AdmissionPolicy.RateLimit(requests: 10, per: .seconds(60)))
        #expect(configuration.admission.circuitBreaker == AdmissionPolicy.CircuitBreaker(failures: 7))
        #expect(configuration.admission.qualityRules?.rules == [.poor: .init(maximumLoads: 1)])
        #expect(configuration.coalesces)
        #expect(
            configuration.coalescing.ignoredFields.map(\.canonicalName).sorted() == ["traceparent", "x-request-id"]
        )
        #expect(configuration.cache.mode == .revalidate)
        #expect(configuration.contentDecoding == Swifty.ContentDecoding(maximumBytes: 8 << 20))
        #expect(configuration.requestCompression == RequestCompression(threshold: 4096, level: 9))
        #expect(configuration.defaultHeaders[.userAgent] == "Shop/1")
        #expect(configuration.defaultHeaders.contains { $0.value == "eu:1" })
        #expect(
            configuration.reroutes.map { "\($0.origin)=\($1.origin)" }
                == ["https://a.example.com=https://localhost:8443"]
        )
        #expect(
            configuration.deadlineField?.text(for: .milliseconds(800))
                == DeadlineField.grpcTimeout.text(
                    for: .milliseconds(800)
                )
        )
        #expect(configuration.name == "shop")
        var transport = CurlTransport.Configuration()
        transport.loops = 2
        transport.settings.tls.minimumVersion = .v1_3
        transport.settings.tls.trust = .file("/etc/ca.pem")
        transport.settings.connections.maximumPerHost = 8
        transport.settings.connections.version = .http1_1
        transport.settings.addresses.overrides = [
            HostAndPort(host: "a.example.com", port: 443): ["127.0.0.1", "::1"]
        ]
        #expect(settings.transport == transport)
    }

    @Test("sets the parts of a proxy, of an identity and of pins together")
    func composed() throws {
        let settings = try Self.settings([
            "SWIFTY_PROXY_URL": "http://proxy.example.com:3128", "SWIFTY_PROXY_USER": "shop",
            "SWIFTY_PROXY_PASSWORD": "secret", "SWIFTY_PROXY_EXCEPTIONS": "localhost,10.0.0.0/8",
            "SWIFTY_TLS_IDENTITY_CERTIFICATE_FILE": "client.pem", "SWIFTY_TLS_IDENTITY_KEY_FILE": "client.key",
            "SWIFTY_TLS_PINS_PUBLIC_KEYS": "a.example.com=sha256//AA==,a.example.com=sha256//BB==",
        ])
        let address = HostAndPort(host: "proxy.example.com", port: 3128)
        let proxy = TransportSettings.Proxy(.http, at: address, user: "shop", password: "secret")
        #expect(settings.transport.settings.proxy == .proxy(proxy, exceptions: ["localhost", "10.0.0.0/8"]))
        #expect(
            settings.transport.settings.tls.identity
                == .pem(certificateFile: "client.pem", keyFile: "client.key")
        )
        #expect(
            settings.transport.settings.tls.pins
                == ["a.example.com": .publicKeys(["sha256//AA==", "sha256//BB=="])]
        )
    }

    @Test("removes what is set in code with the word none")
    func removal() throws {
        var configuration = Swifty.Configuration()
        configuration.hedging = HedgingPolicy(after: .seconds(1))
        configuration.admission.circuitBreaker = AdmissionPolicy.CircuitBreaker()
        configuration.admission.rateLimit = AdmissionPolicy.RateLimit(requests: 5, per: .seconds(1))
        configuration.requestCompression = RequestCompression()
        let keys = [
            "hedging.delay", "admission.circuitBreaker.failures", "admission.rateLimit.requests",
            "requestCompression.threshold", "hookPatience",
        ]
        let values = keys.map { (AbsoluteConfigKey(ConfigKey("swifty.\($0)")), ConfigValue("none")) }
        let reader = Self.reader(Dictionary(uniqueKeysWithValues: values))
        try configuration.read(from: reader, at: "swifty")
        #expect(configuration.hedging == .none)
        #expect(configuration.admission.circuitBreaker == nil)
        #expect(configuration.admission.rateLimit == nil)
        #expect(configuration.requestCompression == nil)
        #expect(configuration.hookPatience == nil)
    }

    @Test("takes values of any type that a provider has")
    func types() throws {
        var configuration = Swifty.Configuration()
        try configuration.read(
            from: Self.reader([
                ["swifty", "retry", "maximumAttempts"]: 4, ["swifty", "retryBudget", "share"]: 0.5,
                ["swifty", "coalesces"]: true, ["swifty", "admission", "maximumLoads"]: "7",
                ["swifty", "retry", "statuses"]: ConfigValue(.intArray([502, 503]), isSecret: false),
                ["swifty", "retry", "methods"]: ConfigValue(.stringArray(["GET"]), isSecret: false),
                ["swifty", "requestCompression", "threshold"]: 100,
                ["swifty", "requestCompression", "skippedMediaTypes"]: "image/*, text/csv",
            ]),
            at: "swifty"
        )
        #expect(configuration.retry.maximumAttempts == 4)
        #expect(configuration.retryBudget.share == 0.5)
        #expect(configuration.coalesces)
        #expect(configuration.admission.maximumLoads == 7)
        #expect(configuration.retry.statuses == [502, 503])
        #expect(configuration.retry.methods == [.get])
        #expect(configuration.requestCompression?.skippedMediaTypes == ["image/*", "text/csv"])
    }

    @Test("reads a policy by itself at its own scope")
    func policies() throws {
        let reader = Self.reader([
            ["shop", "retry", "maximumAttempts"]: 4, ["shop", "admission", "maximumLoads"]: 7,
            ["shop", "redirects", "maximumCount"]: 2, ["shop", "timeouts", "total"]: "3s",
            ["shop", "tls", "minimumVersion"]: "1.3", ["shop", "transport", "loops"]: 2,
        ])
        var retry = RetryPolicy.standard
        try retry.read(from: reader, at: "shop.retry")
        var admission = AdmissionPolicy()
        try admission.read(from: reader, at: "shop.admission")
        var redirects = RedirectPolicy()
        try redirects.read(from: reader.scoped(to: "shop"), at: "redirects")
        var timeouts = NetworkRequest.Timeouts()
        try timeouts.read(from: reader, at: "shop.timeouts")
        var settings = TransportSettings()
        try settings.read(from: reader, at: "shop")
        var transport = CurlTransport.Configuration()
        try transport.read(from: reader, at: "shop")
        #expect((retry.maximumAttempts, admission.maximumLoads, redirects.maximumCount) == (4, 7, 2))
        #expect(timeouts.total == .seconds(3))
        #expect(settings.tls.minimumVersion == .v1_3)
        #expect((transport.loops, transport.settings) == (2, settings))
    }

    @Test("lets what is read win over the closure, which has the hooks")
    func order() throws {
        let reader = Self.reader([["swifty", "timeouts", "total"]: "5s", ["swifty", "name"]: "read"])
        let transport = RecordingTransport()
        let swifty = try Swifty(reading: reader, transport: transport) {
            $0.timeouts.total = .seconds(99)
            $0.timeouts.idle = .seconds(7)
            $0.name = "code"
        }
        #expect(swifty.description.contains("\"read\""))
    }

    @Test("reads a real JSON file, with its numbers, Booleans and lists")
    func json() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("swifty-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let text = """
            {"swifty": {"timeouts": {"total": "5s"}, "retry": {"maximumAttempts": 4, "statuses": [502, 503]},
             "retryBudget": {"share": 0.5, "reserve": 4}, "coalesces": true, "sendsPriority": false,
             "tls": {"minimumVersion": 1.3}, "defaultHeaders": ["Accept: a, b"], "name": null}}
            """
        try text.write(to: file, atomically: true, encoding: .utf8)
        let provider = try await FileProvider<JSONSnapshot>(
            config: Self.reader([["filePath"]: ConfigValue(.string(file.path), isSecret: false)])
        )
        var settings = ServiceSettings()
        try SettingsReading.read(
            ServiceSettings.entries,
            of: ConfigReader(provider: provider),
            at: "swifty",
            into: &settings
        )
        #expect(settings.configuration.timeouts.total == .seconds(5))
        #expect(settings.configuration.retry.maximumAttempts == 4)
        #expect(settings.configuration.retry.statuses == [502, 503])
        #expect(settings.configuration.retryBudget == RetryPolicy.Budget(share: 0.5, reserve: 4))
        #expect(settings.configuration.coalesces)
        #expect(settings.configuration.defaultHeaders[.accept] == "a, b")
        #expect(settings.transport.settings.tls.minimumVersion == .v1_3)
        let listing = Swifty.UnknownKeys.refused(in: .json(file: file.path))
        #expect(throws: Never.self) { try Swifty(reading: ConfigReader(provider: provider), unknownKeys: listing) }
    }

    // Docs/ServiceConfiguration.md says so. If this fails, they can be told apart.
    @Test("cannot tell the Booleans of a JSON file from 0 and 1 where a number is wanted")
    func jsonBooleans() throws {
        let text = #"{"retry": {"maximumAttempts": true, "connectionWait": false}}"#
        let snapshot = try JSONSnapshot(data: Data(text.utf8).bytes, providerName: "test", parsingOptions: .default)
        for name in ["maximumAttempts", "connectionWait"] {
            let key = AbsoluteConfigKey(["retry", name])
            #expect(throws: Never.self) { try snapshot.value(forKey: key, type: .int) }
            #expect(throws: Never.self) { try snapshot.value(forKey: key, type: .bool) }
            #expect(throws: (any Error).self) { try snapshot.value(forKey: key, type: .string) }
        }
    }

    // In another process, since other tests read the environment meanwhile.
    @Test("reads the environment of the process, and lists it")
    func process() async {
        await #expect(processExitsWith: .success) {
            setenv("SWIFTY_RETRY_MAXIMUM_ATTEMPTS", "6", 1)
            setenv("SWIFTY_RETRY_ATTEMPTS", "7", 1)
            var retry = RetryPolicy.standard
            let reader = ConfigReader(provider: EnvironmentVariablesProvider())
            try retry.read(from: reader, at: "swifty.retry")
            #expect(retry.maximumAttempts == 6)
            let error = #expect(throws: Swifty.SettingsError.self) {
                try Swifty(reading: reader, unknownKeys: .refused(in: .environment))
            }
            #expect(error?.problems.contains { $0.key == "SWIFTY_RETRY_ATTEMPTS" } == true)
        }
    }
}

/// A transport that answers nothing.
struct RecordingTransport: Transport {
    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        TransportResponse(head: ResponseHead(statusCode: 204), content: Data())
    }

    func shutdown() async {}
}
#endif
