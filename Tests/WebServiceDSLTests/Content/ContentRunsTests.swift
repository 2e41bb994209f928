// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import WebServiceDSL

@Suite("The runs of streamed content", .timeLimit(.minutes(15)))
struct ContentRunsTests {
    /// What a run produces, and whether it does so to its end.
    struct Run: Sendable {
        var parts: [String]
        var isWhole = true
    }

    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let runs: [Run]
        /// The number of parts that the last run gives away before it fails; `nil` if it does not fail.
        let failure: Int?
    }

    /// A text of some length without periods that a part could hide.
    static func text(_ count: Int, _ seed: Int = 0) -> String {
        String((0..<count).map { Character(Unicode.Scalar(UInt8(97 + (($0 + seed) * 31 / 7) % 26))) })
    }

    static let examples = [
        Example(
            testDescription: "the same",
            runs: [Run(parts: ["ab", "cd"]), Run(parts: ["ab", "cd"])],
            failure: nil
        ),
        Example(
            testDescription: "the same in other parts",
            runs: [Run(parts: ["ab", "cd"]), Run(parts: ["a", "bc", "", "d"]), Run(parts: ["abcd"])],
            failure: nil
        ),
        Example(testDescription: "nothing twice", runs: [Run(parts: []), Run(parts: [])], failure: nil),
        Example(testDescription: "nothing after all", runs: [Run(parts: ["ab"]), Run(parts: [])], failure: 0),
        Example(
            testDescription: "nothing after empty parts",
            runs: [Run(parts: ["ab"]), Run(parts: ["", ""])],
            failure: 2
        ),
        Example(testDescription: "one byte less", runs: [Run(parts: ["ab", "c"]), Run(parts: ["ab"])], failure: 1),
        Example(
            testDescription: "the rest",
            runs: [Run(parts: ["ab"], isWhole: false), Run(parts: ["cd", "ef"])],
            failure: 0
        ),
        Example(
            testDescription: "all after a beginning",
            runs: [Run(parts: ["ab"], isWhole: false), Run(parts: ["ab", "cd"])],
            failure: nil
        ),
        Example(
            testDescription: "the beginning of a longer run",
            runs: [Run(parts: ["ab"], isWhole: false), Run(parts: ["abc", "d"], isWhole: false), Run(parts: ["abx"])],
            failure: 0
        ),
        Example(
            testDescription: "fewer bytes than a run that was stopped",
            runs: [Run(parts: [text(5000)], isWhole: false), Run(parts: [text(4999)])],
            failure: 1
        ),
        Example(
            testDescription: "the last compared byte",
            runs: [Run(parts: [text(3000)]), Run(parts: [text(1023), "X" + text(2000)])],
            failure: 1
        ),
        Example(
            testDescription: "bytes behind those that are compared",
            runs: [Run(parts: [text(3000)]), Run(parts: [text(1024), text(1976, 5)])],
            failure: nil
        ),
        Example(
            testDescription: "less than any run before",
            runs: [Run(parts: ["abcd"], isWhole: false), Run(parts: ["ab"], isWhole: false), Run(parts: ["abc"])],
            failure: 1
        ),
    ]

    /// Content whose runs produce these parts one after another.
    private func body(_ runs: [Run]) -> NetworkResourceWithBody {
        let calls = Counter()
        return server().put().stream {
            let run = runs[min(calls.increment(), runs.count) - 1]
            return AsyncStream<Data> { continuation in
                for part in run.parts { continuation.yield(Data(part.utf8)) }
                continuation.finish()
            }
        }
    }

    /// The parts of a run, and its error.
    private func read(_ source: any ContentSource, _ run: Run) async -> (count: Int, error: SwiftyError?) {
        var count = 0
        do {
            while run.isWhole || count < run.parts.count {
                guard try await source.next() != nil else { return (count, nil) }
                count += 1
            }
            return (count, nil)
        } catch {
            return (count, error as? SwiftyError)
        }
    }

    private func expect(_ example: Example, _ next: (Int) async throws -> any ContentSource) async throws {
        for (index, run) in example.runs.enumerated() {
            let outcome = await read(try await next(index), run)
            let failure = index == example.runs.count - 1 ? example.failure : nil
            #expect(outcome.error?.code == (failure == nil ? nil : .contentNotReplayable))
            if let failure { #expect(outcome.count == failure) }
            #expect(outcome.error.map { $0.reason.contains("isReplayable: false") } != false)
        }
    }

    @Test("of one load may not lose a byte between attempts", arguments: examples)
    func attempts(_ example: Example) async throws {
        let draft = body(example.runs).draft.forLoad()
        try await expect(example) { _ in try #require(await draft.makeRequest().content.source) }
    }

    @Test("of one load may not lose a byte between the transfers of an attempt", arguments: examples)
    func transfers(_ example: Example) async throws {
        var source = try #require(await body(example.runs).draft.forLoad().makeRequest().content.source)
        try await expect(example) { index in
            if index > 0 { source = try #require(source.replayed()) }
            return source
        }
    }

    @Test("of one transfer may not lose a byte when it is sent on another connection", arguments: examples)
    func repetitions(_ example: Example) async throws {
        let source = try #require(await body(example.runs).draft.forLoad().makeRequest().content.source)
        try await expect(example) { index in
            if index > 0 { try await source.rewind() }
            return source
        }
    }

    @Test("of different loads may differ, but not become empty")
    func loads() async throws {
        let runs = [Run(parts: ["ab"]), Run(parts: ["x"]), Run(parts: [])]
        let resource = body(runs)
        for (index, run) in runs.enumerated() {
            let source = try #require(await resource.draft.forLoad().makeRequest().content.source)
            let outcome = await read(source, run)
            #expect(outcome.error?.code == (index == 2 ? .contentNotReplayable : nil))
            #expect(outcome.error.map { $0.reason.contains("earlier load") } != false)
        }
    }

    @Test("of which an interface makes a request without a load are each a load by themselves")
    func otherInterfaces() async throws {
        let resource = body([Run(parts: ["abc"]), Run(parts: ["xy"]), Run(parts: [])])
        #expect(try await content(of: resource) == "abc")
        #expect(try await content(of: resource) == "xy")
        #expect(await failure { _ = try await content(of: resource) }?.code == .contentNotReplayable)
    }

    @Test("in a part of a form are compared as well")
    func form() async throws {
        let runs = [Run(parts: ["ab", "cd"]), Run(parts: ["cd"])]
        let calls = Counter()
        let resource = server().put().multipart(name: "n", value: "v").multipart(
            name: "s",
            stream: {
                let run = runs[calls.increment() - 1]
                return AsyncStream<Data> { continuation in
                    for part in run.parts { continuation.yield(Data(part.utf8)) }
                    continuation.finish()
                }
            }
        )
        let draft = resource.draft.forLoad()
        let first = try #require(await draft.makeRequest().content.source)
        #expect(try await first.rest().isEmpty == false)
        let second = try #require(await draft.makeRequest().content.source)
        #expect(await failure { _ = try await second.rest() }?.code == .contentNotReplayable)
    }
}
