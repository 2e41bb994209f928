// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdTesting
import Logging
import Swifty
import SwiftyTestTraits
import Synchronization
import Testing

@testable import Storefront

/// Keeps the lines that are logged.
private final class LogLines: Sendable {
    struct Line: Sendable {
        let level: Logger.Level
        let metadata: Logger.Metadata
        let message: String
    }

    private let state = Mutex<[Line]>([])

    var all: [Line] { state.withLock { $0 } }
    func add(_ line: Line) { state.withLock { $0.append(line) } }
}

private struct LineHandler: LogHandler {
    let lines: LogLines
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.debug

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let line = metadata.merging(event.metadata ?? [:]) { _, new in new }
        lines.add(LogLines.Line(level: event.level, metadata: line, message: "\(event.message)"))
    }
}

@Suite(
    "The log",
    .mocked(Inventory.self, tokenMocks),
    .mocked(Prices.self),
    .timeLimit(.minutes(15))
)
struct LogTests {
    @Test("has the number of the answered request in each line about a load")
    func number() async throws {
        let lines = LogLines()
        var logger = Logger(label: "test") { _ in LineHandler(lines: lines) }
        logger[metadataKey: "hb.request.id"] = "17"
        // The server of Hummingbird does so for each request; without a server nothing does.
        _ = try await withLogger(logger) { _ in
            try await withMocks(for: Prices.self, [.get("items/{}/price"): .status(500)]) {
                try await withStorefront { try await $0.get("/items/7") }
            }
        }
        let failures = lines.all.filter { $0.level == .warning }
        #expect(failures.map { $0.metadata["url.template"] } == ["items/{}/price"])
        #expect(failures.allSatisfy { $0.metadata["hb.request.id"] == "17" })
        #expect(lines.all.filter { $0.level == .info }.count == 2)
    }

    @Test("has the circuit breakers, which belong to no request, in the logger of the service")
    func circuits() async throws {
        let lines = LogLines()
        let logger = Logger(label: "test") { _ in LineHandler(lines: lines) }
        _ = try await withMocks(for: Prices.self, [.get("items/{}/price"): .status(500)]) {
            try await withStorefront(
                logger: logger,
                configure: { $0.admission.circuitBreaker = .init(failures: 1) },
                body: { try await $0.get("/items/7") }
            )
        }
        let changes = lines.all.filter { $0.metadata["swifty.circuit"] != nil }
        #expect(changes.map(\.level) == [.notice])
        #expect(changes.map { $0.metadata["swifty.origin"] } == ["https://prices.example.com"])
    }

    @Test("warns of a 404, unless an upstream says it of an item")
    func unknown() async throws {
        let lines = LogLines()
        let logger = Logger(label: "test") { _ in LineHandler(lines: lines) }
        _ = try await withStorefront(logger: logger) { try await $0.get("/items/404") }
        #expect(!lines.all.isEmpty)
        #expect(lines.all.allSatisfy { $0.level == .debug })
        _ = try await withMocks(for: Prices.self, [.get("health"): .status(404)]) {
            try await withStorefront(logger: logger) { try await $0.get("/health") }
        }
        let tokens: KeyValuePairs<MockPattern, MockAnswer> = [.url("https://tokens.example.com/token"): .status(404)]
        _ = try await withMocks(for: Inventory.self, tokens) {
            try await withStorefront(logger: logger) { try await $0.get("/items/7") }
        }
        let warnings = lines.all.filter { $0.level == .warning }
        #expect(warnings.contains { $0.metadata["url.template"] == "health" })
        #expect(warnings.contains { $0.metadata["error.type"] == "constraintFailed" })
    }
}
