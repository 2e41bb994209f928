// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import WebServiceDSL

@Suite("A load", .timeLimit(.minutes(15)))
struct LoadTests {
    private struct Item: Codable, Sendable, Equatable { var id: Int }

    private func base(_ body: String, status: Int = 200) -> BaseResource {
        BaseResource(
            "https://a",
            networkInterface: RecordingInterface {
                NetworkResponse(head: ResponseHead(statusCode: status), data: Data(body.utf8), request: $0)
            }
        )
    }

    private func failing(_ error: SwiftyError) -> BaseResource {
        BaseResource("https://a", networkInterface: RecordingInterface { NetworkResponse(error: error, request: $0) })
    }

    /// Waits until a closure is released, after which it cannot be called again.
    private func calls(_ start: (@escaping @Sendable (String) -> Void) -> Void) async -> [String] {
        let (recorded, isReleased) = (Recording<String>(), Gate())
        do {
            let mark = ReleaseMark(opening: isReleased)
            start { text in withExtendedLifetime(mark) { recorded.append(text) } }
        }
        do { try await until { isReleased.isOpen } } catch { Issue.record(error) }
        return recorded.values
    }

    @Test("returns or throws in its async forms")
    func asyncForms() async throws {
        #expect(try await base(#"{"id":1}"#).get().load().string == #"{"id":1}"#)
        #expect(try await base(#"{"id":2}"#).get().load(Item.self) == Item(id: 2))
        let typed = base(#"{"id":3}"#).get("x").decode(Item.self).header("X", "y").priority(.low)
        #expect(try await typed.load() == Item(id: 3))
        let response = try await typed.response()
        #expect(response.value.id == 3)
        #expect(response.head?.statusCode == 200)
        #expect(response.data.count == 8)
        let error = await #expect(throws: SwiftyError.self) {
            try await failing(SwiftyError(.timedOut, stage: .connect)).get().load()
        }
        #expect(error?.isTimeout == true)
    }

    @Test("calls its closure once in every closure form")
    func closureForms() async {
        let good = base(#"{"id":1}"#).get()
        let bad = failing(SwiftyError(.connectionLost, stage: .content)).get()
        #expect(
            await calls { done in good.load { (response: NetworkResponse) in done(response.string ?? "") } } == [
                #"{"id":1}"#
            ]
        )
        #expect(
            await calls { done in
                good.load { response, data, error in
                    done("\(response?.statusCode ?? 0) \(data?.count ?? 0) \(error == nil)")
                }
            } == ["200 8 true"]
        )
        #expect(
            await calls { done in
                bad.load { response, data, error in
                    done("\(response == nil) \(data == nil) \(error?.code.rawValue ?? "")")
                }
            } == ["true true connectionLost"]
        )
        #expect(
            await calls { done in
                good.load(successBlock: { done("\($0?.count ?? 0)") }, failureBlock: { _ in done("failed") })
            } == ["8"]
        )
        #expect(
            await calls { done in
                bad.load(successBlock: { _ in done("succeeded") }, failureBlock: { done($0.code.rawValue) })
            } == ["connectionLost"]
        )
        #expect(
            await calls { done in
                good.loadJSON(
                    successBlock: { done("\(($0 as? [String: Any])?["id"] ?? 0)") },
                    failureBlock: { _ in done("failed") }
                )
            } == ["1"]
        )
        #expect(
            await calls { done in
                bad.loadJSON(successBlock: { _ in done("succeeded") }, failureBlock: { done($0.code.rawValue) })
            } == ["connectionLost"]
        )
        #expect(
            await calls { done in
                good.loadJSON(Item.self, successBlock: { done("\($0.id)") }, failureBlock: { _ in done("failed") })
            } == ["1"]
        )
        #expect(
            await calls { done in
                bad.loadJSON(
                    Item.self,
                    successBlock: { _ in done("succeeded") },
                    failureBlock: { done($0.code.rawValue) }
                )
            } == ["connectionLost"]
        )
        #expect(
            await calls { done in good.decode(Item.self).load { result in done("\((try? result.get())?.id ?? 0)") } }
                == ["1"]
        )
    }

    @Test("of an empty response is nil for untyped and optional loads, and an error for others")
    func emptyResponses() async throws {
        let empty = base("", status: 204).get()
        #expect(
            await calls { done in
                empty.loadJSON(successBlock: { done("\($0 == nil)") }, failureBlock: { _ in done("failed") })
            } == ["true"]
        )
        #expect(
            await calls { done in
                empty.load(successBlock: { done("\($0 == nil)") }, failureBlock: { _ in done("failed") })
            } == ["true"]
        )
        #expect(try await empty.load(Item?.self) == nil)
        let error = await #expect(throws: SwiftyError.self) { try await empty.load(Item.self) }
        #expect(error?.code == .emptyResponse)
        #expect(error?.statusCode == 204)
    }

    @Test("that cannot decode its response keeps head and content, and says where decoding stopped")
    func decodingErrors() async throws {
        let error = await #expect(throws: SwiftyError.self) {
            try await base(#"{"id":"canary"}"#).get("x").load(Item.self)
        }
        #expect(error?.code == .decodingFailed)
        #expect(error?.stage == .decoding)
        #expect(error?.content == Data(#"{"id":"canary"}"#.utf8))
        #expect(error?.statusCode == 200)
        #expect(error?.description.contains(#"id: expected an integer, found "canary""#) == true)
        #expect(error.map { ($0 as NSError).code } == 10)
        let html = await calls { done in
            base("<html>").get().loadJSON(
                successBlock: { _ in done("succeeded") },
                failureBlock: { done($0.code.rawValue) }
            )
        }
        #expect(html == ["decodingFailed"])
    }

    @Test("delivers on the queue of deliver(on:)")
    func deliveryQueue() async {
        let key = DispatchSpecificKey<String>()
        let queue = DispatchQueue(label: "delivery")
        queue.setSpecific(key: key, value: "here")
        let resource = base("{}").get().deliver(on: queue)
        #expect(
            await calls { done in
                resource.load { (_: NetworkResponse) in done(DispatchQueue.getSpecific(key: key) ?? "elsewhere") }
            } == ["here"]
        )
    }

    @Test("sends the same request each time")
    func reusable() async throws {
        let interface = RecordingInterface()
        let resource = BaseResource("https://a", networkInterface: interface).post("x").query(["a": 1]).multipart(
            name: "f",
            value: "v"
        )
        for _ in 0..<3 { _ = try await resource.load() }
        #expect(interface.requests.count == 3)
        #expect(Set(interface.requests.map(\.target.string)) == ["https://a/x?a=1"])
        #expect(Set(interface.requests.map { $0.content.data }).count == 1)
    }

    @Test("is not changed by modifiers that are called after its start")
    func frozen() async throws {
        let interface = HeldInterface()
        let resource = BaseResource("https://a", networkInterface: interface).post("x").header(
            key: "N",
            value: "before"
        )
        let load = Task { try await resource.load() }
        let typed = Task { [typed = resource.decode([String: Int].self)] in try await typed.load() }
        await interface.awaitLoads(2)
        resource.header("N", "after").query(["late": 1]).text("late")
        interface.release()
        _ = try await (load.value, typed.value)
        for request in interface.requests {
            #expect(request.headers.map(\.value) == ["before"])
            #expect(request.target.query == nil)
            #expect(request.content.isNone)
        }
        #expect(interface.requests.count == 2)
    }

    @Test("in its closure forms is not changed by later modifiers, however late its task begins")
    func frozenAtCall() async throws {
        let interface = RecordingInterface()
        let resource = BaseResource("https://a", networkInterface: interface).get("x")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                resource.header("N", "\(number)")
                let (stream, end) = AsyncStream<Void>.makeStream()
                resource.load { (_: NetworkResponse) in end.finish() }
                group.addTask { for await _ in stream {} }
            }
        }
        let values = interface.requests.compactMap { $0.headers.first.flatMap { Int($0.value) } }
        #expect(values.sorted() == Array(0..<200))
    }

    @Test("uses the decoder that it is given, in every form with such a parameter")
    func decoders() async throws {
        struct Person: Decodable, Sendable { var userName: String }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let resource = base(#"{"user_name":"Ada"}"#).get()
        #expect(try await resource.load(Person.self, decoder: decoder).userName == "Ada")
        #expect(try await resource.decode(Person.self, decoder: decoder).load().userName == "Ada")
        #expect(try await resource.decode(Person.self, decoder: decoder).response().value.userName == "Ada")
        #expect(try await resource.load().decode(Person.self, decoder: decoder).userName == "Ada")
        let closure = await calls { done in
            resource.loadJSON(
                Person.self,
                decoder: decoder,
                successBlock: { done($0.userName) },
                failureBlock: { done("\($0)") }
            )
        }
        #expect(closure == ["Ada"])
        await #expect(throws: SwiftyError.self) { try await resource.load(Person.self) }
    }

    @Test("by Flipkart's loadResource calls its closure once, with the outcome of the interface that loads")
    func loadResource() async throws {
        let interface = RecordingInterface {
            NetworkResponse(head: ResponseHead(statusCode: 201), data: nil, request: $0)
        }
        let resource = failing(SwiftyError(.connectionLost, stage: .content)).get("x").header("N", "before")
        let status = await calls { done in
            interface.loadResource(resource: resource) { done("\($0.statusCode ?? 0)") }
            resource.header("N", "after")
        }
        #expect(status == ["201"])
        #expect(interface.requests.map { $0.headers.map(\.value) } == [["before"]])
        let other = RecordingInterface { NetworkResponse(error: SwiftyError(.tlsFailed, stage: .tls), request: $0) }
        let code = await calls { done in
            other.loadResource(resource: resource) { done($0.error?.code.rawValue ?? "no error") }
        }
        #expect(code == ["tlsFailed"])
    }
}

/// A network interface that holds its loads before it freezes them.
private final class HeldInterface: NetworkInterface {
    private let recording = RecordingInterface()
    private let held = Mutex<[CheckedContinuation<Void, Never>]>([])
    private let arrivals = AsyncStream<Void>.makeStream()

    var requests: [NetworkRequest] { recording.requests }

    /// Returns when the interface holds a number of loads. Called once.
    func awaitLoads(_ count: Int) async {
        var arrived = 0
        for await _ in arrivals.stream {
            arrived += 1
            if arrived == count { return }
        }
    }

    /// Continues the held loads.
    func release() {
        for continuation in held.withLock({ $0 }) { continuation.resume() }
    }

    func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        await withCheckedContinuation { continuation in
            held.withLock { $0.append(continuation) }
            arrivals.continuation.yield()
        }
        return await recording.load(draft, cancellation: cancellation)
    }
}
