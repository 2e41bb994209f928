// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import WebServiceDSL

@Suite("A typed request whose value is made from another one", .timeLimit(.minutes(15)))
struct MappingTests {
    private struct Refusal: Error, CustomStringConvertible { var description: String { "no" } }
    private enum Lookup: Equatable, Sendable {
        case found(Int)
        case missing(String)
    }

    private func base(_ content: String, status: Int = 200, contentType: String? = nil) -> BaseResource {
        let interface = RecordingInterface { request in
            let headers: HTTPFields = contentType.map { [.contentType: $0] } ?? [:]
            let head = ResponseHead(statusCode: status, headers: headers)
            return NetworkResponse(head: head, data: Data(content.utf8), request: request)
        }
        return BaseResource("https://a", networkInterface: interface)
    }

    @Test("loads in every form, with closures that wait and closures that do not")
    func forms() async throws {
        let numbers = base("[1,2,3]").get("x").decode([Int].self)
        let sum = numbers.map { $0.reduce(0, +) }
        let text = sum.map { number async throws in
            await Task.yield()
            return "\(number)!"
        }
        #expect(try await sum.load() == 6)
        #expect(try await text.load() == "6!")
        #expect(try await text.map { $0.count }.load() == 2)
        #expect(try await text.map { count async in count.utf8.count }.map { $0 + 1 }.load() == 3)
        let response = try await text.response()
        #expect(response.value == "6!")
        #expect(response.data == Data("[1,2,3]".utf8))
        let result: Result<String, SwiftyError> = await withCheckedContinuation { continuation in
            text.load { continuation.resume(returning: $0) }
        }
        #expect(try result.get() == "6!")
        #expect(text.description.hasSuffix("as String"))
    }

    @Test("is independent of the one that it was made from, and has all modifiers")
    func independence() async throws {
        let first = base("1").get("x").decode(Int.self)
        let second = first.map { $0 + 1 }.header("X", "y")
        first.header("X", "z")
        #expect(second.draft.headers.map(\.value) == ["y"])
        #expect(try await second.copy().load() == 2)
    }

    @Test("fails with the error of its closure", arguments: [false, true])
    func failures(waits: Bool) async throws {
        let numbers = base("1").get("x").decode(Int.self)
        func error(_ thrown: any Error & Sendable) async -> SwiftyError? {
            let mapped: TypedResource<String> =
                if waits { numbers.map { _ async throws -> String in throw thrown } } else {
                    numbers.map { _ throws -> String in throw thrown }
                }
            return await #expect(throws: SwiftyError.self) { try await mapped.load() }
        }
        let refused = await error(Refusal())
        #expect(refused?.code == .transformFailed)
        #expect(refused?.stage == .decoding)
        #expect(refused?.underlying is Refusal)
        #expect(refused?.reason == "the closure of map(_:) from Int to String threw: no")
        #expect(refused?.statusCode == 200)
        #expect(refused?.content == Data("1".utf8))
        #expect(await error(CancellationError())?.code == .cancelled)
        #expect(await error(SwiftyError(.addressDenied, stage: .building))?.code == .addressDenied)
    }

    @Test("calls no closure for a failed load, and each once for a successful one")
    func calls() async throws {
        let calls = Recording<Int>()
        let good = base("5").get().decode(Int.self).map { value in
            calls.append(value)
            return value
        }
        _ = try await (good.load(), good.response())
        #expect(calls.values == [5, 5])
        let error = SwiftyError(.connectionLost, stage: .content)
        let failing = RecordingInterface { NetworkResponse(error: error, request: $0) }
        let bad = BaseResource("https://a", networkInterface: failing)
        await #expect(throws: SwiftyError.self) { try await bad.get().decode(Int.self).map { calls.append($0) }.load() }
        #expect(calls.values.count == 2)
    }

    @Test("reads the responses of some statuses as values of another type")
    func statuses() async throws {
        func lookup(_ base: BaseResource) -> TypedResource<Lookup> {
            base.get().decode(Int.self).map(Lookup.found).decode(as: [String: String].self, when: [404, 410]) {
                .missing($0["why"] ?? "")
            }
        }
        #expect(try await lookup(base("7")).load() == .found(7))
        #expect(try await lookup(base(#"{"why":"gone"}"#, status: 410)).load() == .missing("gone"))
        #expect(lookup(base("")).draft.acceptedStatuses.contains(404))
        #expect(!lookup(base("")).draft.acceptedStatuses.contains(500))
        let waiting = lookup(base(#"{"why":"x"}"#, status: 404)).map { value async in value }
        #expect(try await waiting.load() == .missing("x"))
    }

    @Test("may be one without a value, the bytes, or the text in its charset")
    func others() async throws {
        let nothing: TypedResource<Void> = base("").get().decode()
        try await nothing.load()
        #expect(try await base("\"YQ==\"").get().decode(Data.self).load() == Data("\"YQ==\"".utf8))
        #expect(try await base("").get().decode(Data.self).load() == Data())
        let text = base("a\u{00}", contentType: "text/plain").get().decode(String.self).map(\.count)
        #expect(try await text.load() == 2)
        #expect(try await base("null").get().decode(Int?.self).map { $0 == nil }.load())
        #expect(try await base("null").get().decode(Int?.self).map { value async -> Int? in value }.load() == nil)
    }

    @Test("has pages and elements")
    func pages() async throws {
        let values = base(#"{"items":[1,2]}"#).get().pagination(.nextURL { _ in nil }).decode([Int].self, at: "items")
        var all: [String] = []
        for try await item in values.map({ $0.map { "\($0)" } }).elements() { all.append(item) }
        for try await page in values.map({ numbers async in numbers.count }).pages() { all.append("page of \(page)") }
        #expect(all == ["1", "2", "page of 2"])
    }
}
