// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import Synchronization
import TestSupport
import Testing

/// Loads mutated responses on reused connections, and checks after each that the next load gets its own response.
///
/// The seed is printed, and taken from `SWIFTY_FUZZ_SEED` to repeat a run; `SWIFTY_FUZZ_SECONDS` makes it longer.
/// Memory errors are found with the address sanitizer: `Scripts/fuzz`.
@Suite("Mutated responses", .timeLimit(.minutes(180)))
struct FuzzTests {
    private static func option(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test("never reach another load, never repeat a POST, and leave the transport usable")
    func mutatedAnswers() async throws {
        let seed = Self.option("SWIFTY_FUZZ_SEED") ?? .random(in: 0..<1_000_000)
        let seconds = Self.option("SWIFTY_FUZZ_SECONDS") ?? 5
        print("Fuzzing for \(seconds) s: SWIFTY_FUZZ_SEED=\(seed)")
        let server = try await FuzzServer(seed: seed)
        let record = FuzzRecord()
        let end = ContinuousClock.now + .seconds(seconds)
        await withTaskGroup(of: Void.self) { group in
            for way in FuzzServer.Way.allCases {
                let lane = FuzzLane(server: server, way: way, seed: seed, record: record, end: end)
                for _ in 0..<6 { group.addTask { await lane.run() } }
            }
        }
        print(record.summary)
        for finding in record.findings { Issue.record("\(finding); seed \(seed)") }
        let doubled = try await server.doubledRequests()
        #expect(doubled.isEmpty, "POSTs that arrived twice: \(doubled); seed \(seed)")
        for way in FuzzServer.Way.allCases {
            #expect(record.hasBoth(way), "\(way) was hardly used")
        }
    }
}

/// The results of a fuzzing run.
private final class FuzzRecord: Sendable {
    enum Outcome: String, CaseIterable {
        case success
        case failure
    }

    private struct Key: Hashable {
        var way: FuzzServer.Way
        var outcome: Outcome
    }

    private let counts = Mutex<[Key: Int]>([:])
    private let allFindings = Mutex<[String]>([])
    private let lastNumber = Atomic(0)

    func nextNumber() -> Int { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

    func add(_ way: FuzzServer.Way, _ outcome: Outcome) {
        counts.withLock { $0[Key(way: way, outcome: outcome), default: 0] += 1 }
    }

    func count(_ way: FuzzServer.Way, _ outcome: Outcome) -> Int {
        counts.withLock { $0[Key(way: way, outcome: outcome)] ?? 0 }
    }

    /// Whether there have been successes and failures.
    func hasBoth(_ way: FuzzServer.Way) -> Bool {
        Outcome.allCases.allSatisfy { count(way, $0) > 0 }
    }

    /// Only the first ones are kept.
    func addFinding(_ text: String) {
        allFindings.withLock { if $0.count < 20 { $0.append(text) } }
    }

    var findings: [String] { allFindings.withLock { $0 } }

    var summary: String {
        let ways = FuzzServer.Way.allCases.map { way in
            "\(way) " + Outcome.allCases.map { "\(count(way, $0)) \($0.rawValue)" }.joined(separator: " ")
        }
        return "Fuzzed loads: " + ways.joined(separator: ", ")
    }
}

/// Sequential loads on one transport: a mutated response, then a correct one.
private struct FuzzLane {
    let server: FuzzServer
    let way: FuzzServer.Way
    let seed: UInt64
    let record: FuzzRecord
    let end: ContinuousClock.Instant
    let transport: CurlTransport

    init(server: FuzzServer, way: FuzzServer.Way, seed: UInt64, record: FuzzRecord, end: ContinuousClock.Instant) {
        self.server = server
        self.way = way
        self.seed = seed
        self.record = record
        self.end = end
        transport = server.transport(way)
    }

    /// Runs until the end, and on a slow machine until there are results.
    func run() async {
        let patience = end + .seconds(60)
        while ContinuousClock.now < (record.hasBoth(way) ? end : patience) {
            await load(record.nextNumber(), isCalm: false)
            await load(record.nextNumber(), isCalm: true)
        }
    }

    private func load(_ number: Int, isCalm: Bool) async {
        var random = SplitMix(seed: seed &+ UInt64(number))
        let method = ([.get, .get, .post, .post, .head] as [HTTPRequest.Method]).randomElement(using: &random) ?? .get
        let cancellation = LoadCancellation()
        do {
            let request = try server.request(number, way, method: method, isCalm: isCalm)
            if !isCalm, random.next() % 16 == 0 { cancelLater(cancellation, using: &random) }
            let response = try await transport.send(request, cancellation: cancellation)
            record.add(way, .success)
            check(response.head, response.content, of: number)
            if isCalm, method != .head, !response.text.contains("<\(number).") {
                let fields = response.head.headers.map { "\($0.name): \($0.value)" }
                record.addFinding(
                    """
                    \(number) over \(way): a proper answer arrived changed: \(response.head.statusCode) \(fields), \
                    \(response.content.count) bytes: \(response.text.prefix(80))
                    """
                )
            }
        } catch let error as SwiftyError {
            record.add(way, .failure)
            check(error.head, error.content ?? Data(), of: number)
            check(error, number, mustSucceed: isCalm && method != .post)
        } catch {
            record.addFinding("\(number) over \(way): \(error)")
        }
    }

    private func cancelLater(_ cancellation: LoadCancellation, using random: inout SplitMix) {
        let pause = Duration.microseconds(Int64.random(in: 0..<3_000, using: &random))
        Task {
            // Any moment of the load.
            try? await Task.sleep(for: pause)
            cancellation.cancel()
        }
    }

    private func check(_ error: SwiftyError, _ number: Int, mustSucceed: Bool) {
        // Other loads on the same HTTP/2 connection, or a corrupted tunnel, may legitimately end a load with a correct
        // response.
        let isOnItsOwn = way == .plain || way == .secure || way == .expecting
        if mustSucceed && isOnItsOwn || error.code == .timedOut || error.code == .transportFailed {
            record.addFinding("\(number) over \(way): \(error)")
        }
    }

    /// Whether everything that arrived is tagged with this request's number.
    private func check(_ head: ResponseHead?, _ body: Data, of number: Int) {
        let fields = head?.headers.map { "\($0.name): \($0.value)\n" }.joined() ?? ""
        let text = fields + String(decoding: body, as: UTF8.self)
        for match in text.matches(of: #/<([0-9]+)\.([0-9]+)\.([0-9]+)>/#)
        where match.1 == match.2 && match.2 == match.3 && match.1 != "\(number)" {
            record.addFinding("\(number) over \(way): the answer to \(match.1) arrived")
        }
    }
}
