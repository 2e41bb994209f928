// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SwiftyTransport
import Testing

@testable import WebServiceDSL

@Suite("A copy of a resource", .timeLimit(.minutes(15)))
struct CopyTests {
    private struct User: Codable, Sendable, Equatable { var userName: String }

    /// One call of a modifier.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (NetworkResourceWithBody) -> Void
    }

    /// Every modifier of every kind of resource, each with an effect on the draft.
    static let changes: [Change] = [
        Change("header(key:)") { $0.header(key: "X-New", value: "1") },
        Change("header(String)") { $0.header("X-New", "1") },
        Change("header(_:)") { $0.header(.ifMatch, "1") },
        Change("secret") { $0.secret("s3cret") },
        Change("headers") { $0.headers(["X-A": "1", "X-B": "2"]) },
        Change("addHeader(String)") { $0.addHeader("X-Base", "1") },
        Change("addHeader(_:)") { $0.addHeader(.accept, "a/b") },
        Change("removeHeader(String)") { $0.removeHeader("X-Base") },
        Change("removeHeader(_:)") { $0.removeHeader(.userAgent) },
        Change("allowsContent") { $0.allowsContent() },
        Change("contentType") { $0.contentType("a/b") },
        Change("accept") { $0.accept("a/b") },
        Change("authorizationHeader") { $0.authorizationHeader(username: "a", password: "b") },
        Change("basic") { $0.basic("a", "b") },
        Change("bearer") { $0.bearer("t") },
        Change("query([:])") { $0.query(["a": 1]) },
        Change("query([(,)])") { $0.query([("a", "1")]) },
        Change("query(encodable)") { $0.query(User(userName: "a")) },
        Change("pagination") { $0.pagination(.linkHeader) },
        Change("data") { $0.data(Data([1])) },
        Change("json(encodable)") { $0.json(User(userName: "a")) },
        Change("json(encodable:)") { $0.json(encodable: User(userName: "a")) },
        Change("json([:])") { $0.json(["a": 1]) },
        Change("json([])") { $0.json([1]) },
        Change("json(body:)") { $0.json(body: ["a": 1]) },
        Change("jsonArray") { $0.jsonArray(array: [1]) },
        Change("fields") { $0.fields(["a": 1]) },
        Change("text") { $0.text("a") },
        Change("stream(writer)") { $0.stream(length: 1) { writer in try await writer.write("a") } },
        Change("file") { $0.file("/a") },
        Change("stream") { $0.stream { AsyncStream<Data> { $0.finish() } } },
        Change("multipart(name:value:)") { $0.multipart(name: "a", value: "b") },
        Change("multipart(data:)") { $0.multipart(name: "a", data: Data([1])) },
        Change("multipart(file:)") { $0.multipart(name: "a", file: "/a") },
        Change("priority") { $0.priority(.veryHigh) },
        Change("tag") { $0.tag("new") },
        Change("tags") { $0.tags(["new", "newer"]) },
        Change("name") { $0.name("new") },
        Change("deliver(on:)") { $0.deliver(on: DispatchQueue(label: "new")) },
        Change("deliverOn(thread:)") { $0.deliverOn(thread: DispatchQueue(label: "new")) },
        Change("constraints") { $0.constraints(.none) },
        Change("timeout") { $0.timeout(.seconds(1)) },
        Change("timeout(total:connect:firstByte:idle:)") { $0.timeout(connect: .seconds(1), idle: .seconds(1)) },
        Change("timeout(nil)") { $0.timeout(nil) },
        Change("retry(policy)") { $0.retry(.standard) },
        Change("retry(count)") { $0.retry(5) },
        Change("idempotencyKey") { $0.idempotencyKey("k") },
        Change("redirects") { $0.redirects(.none) },
        Change("validate(status: [])") { $0.validate(status: [404]) },
        Change("validate(status: range)") { $0.validate(status: 200..<400) },
        Change("context(_:)") { $0.context(7) },
        Change("validate(contentTypes:)") { $0.validate(contentTypes: ["application/json"]) },
        Change("validate { }") { $0.validate { _ in } },
        Change("a modifier of an interface") { $0.modify { $0.interfaceOptions = LoadCancellation() } },
        Change("compressed") { $0.compressed(threshold: 9) },
        Change("onProgress") { $0.onProgress { _ in } },
        Change("onEvent") { $0.onEvent { _ in } },
        Change("limitRate(numbers)") { $0.limitRate(download: 5, upload: 6) },
        Change("limitRate(shared)") { $0.limitRate(upload: Bandwidth(bytesPerSecond: 7)) },
        Change("mock(file:)") { $0.mock(file: "a.json") },
        Change("mock(withFile:)") { $0.mock(withFile: "a") },
        Change("mock(data:)") { $0.mock(data: Data([1])) },
        Change("mock(error:)") { $0.mock(error: CancellationError()) },
        Change("an error") { $0.header("X", "a\r\nb") },
    ]

    /// The parts of a resource. A test compares them with the fields of the draft, so that none is missing.
    private static let fields: [(name: String, value: @Sendable (RequestDraft) -> Any?)] = [
        ("method", { $0.method }), ("target", { $0.target }), ("template", { $0.template }),
        ("hasTemplate", { $0.hasTemplate }),
        ("headers", { $0.headers }), ("removedHeaders", { $0.removedHeaders.map(\.canonicalName).sorted() }),
        ("isWithoutSecrets", { $0.isWithoutSecrets }), ("isContentAllowed", { $0.isContentAllowed }),
        ("priority", { $0.priority }), ("tags", { $0.tags.sorted() }), ("name", { $0.name }),
        ("contextValues", { $0.context(Int.self) }),
        ("constraints", { $0.constraints.isEmpty }), ("timeouts", { $0.timeouts }),
        ("isUnlimited", { $0.isUnlimited }),
        ("acceptedStatuses", { $0.acceptedStatuses }),
        ("acceptedContentTypes", { $0.acceptedContentTypes }), ("validations", { $0.validations.count }),
        ("verifiesRanges", { $0.verifiesRanges }), ("needsWholeContent", { $0.needsWholeContent }),
        ("retryPolicy", { $0.retryPolicy }),
        ("redirectPolicy", { $0.redirectPolicy }), ("idempotencyKey", { $0.idempotencyKey }),
        ("requestCompression", { $0.requestCompression }), ("transfer", { $0.transfer?.values }),
        ("pagination", { $0.pagination?.maximumPages }), ("interfaceOptions", { $0.interfaceOptions != nil }),
        ("mock", { $0.mock }),
        ("deliveryQueue", { $0.deliveryQueue?.label }), ("creationError", { $0.creationError }),
        ("base", { $0.base.map { ObjectIdentifier($0) } }), ("definition", { $0.definition }),
        ("scope", { $0.scope.map { ObjectIdentifier($0) } }),
        ("coding", { $0.coding }), ("preparation", { $0.preparation == nil }), ("query", { $0.query }),
        ("content", { $0.content }),
        ("contentType", { $0.contentType }), ("secrets", { $0.secrets.map { "\($0)" } }),
    ]

    private static func snapshot(_ resource: some ModifiableResource) -> [String: String] {
        let draft = resource.draft
        return Dictionary(uniqueKeysWithValues: fields.map { ($0.name, String(describing: $0.value(draft))) })
    }

    private func plain() -> NetworkResourceWithBody {
        server().post("x/{id}", ["id": 1]).header("X-Base", "base")
    }

    /// A resource with a value in every part, so that it and its copy share as much as possible.
    private func full() -> NetworkResourceWithBody {
        let resource = plain()
        for change in Self.changes { change.apply(resource) }
        return resource
    }

    @Test("has no part that these tests do not compare, or that no modifier changes")
    func completeness() {
        let draft = RequestDraft.Fields(method: .get, template: "", coding: .standard)
        #expect(Mirror(reflecting: draft).children.compactMap(\.label) == Self.fields.map(\.name))
        var changed: Set<String> = []
        for change in Self.changes {
            let resource = plain()
            let before = Self.snapshot(resource)
            change.apply(resource)
            let parts = Self.snapshot(resource).filter { before[$0.key] != $0.value }.keys
            #expect(!parts.isEmpty, "\(change.testDescription) changes no part")
            changed.formUnion(parts)
        }
        let fixed: Set<String> = [
            "method", "target", "template", "hasTemplate", "coding", "preparation", "isWithoutSecrets", "base",
            "definition", "scope", "verifiesRanges", "needsWholeContent",
        ]
        #expect(changed.union(fixed) == Set(Self.fields.map(\.name)))
    }

    @Test("and its original do not see each other's changes", arguments: changes)
    func independence(_ change: Change) {
        for original in [plain(), full()] {
            let copy = original.copy()
            let before = Self.snapshot(original)
            #expect(Self.snapshot(copy) == before)
            change.apply(copy)
            #expect(Self.snapshot(original) == before)
            let copied = Self.snapshot(copy)
            change.apply(original)
            original.query(["only": "original"])
            #expect(Self.snapshot(copy) == copied)
            #expect(Self.snapshot(original) != copied)
        }
    }

    @Test("of a typed resource and its original do not see each other's changes", arguments: changes)
    func typedIndependence(_ change: Change) {
        let original = plain().decode(User.self)
        let copy = original.copy()
        let before = Self.snapshot(original)
        // A change is for an untyped resource, so it is made to a temporary one.
        copy.modify { draft in
            let resource = NetworkResourceWithBody(draft: draft, networkInterface: RecordingInterface())
            change.apply(resource)
            draft = resource.draft
        }
        #expect(Self.snapshot(original) == before)
        #expect(Self.snapshot(copy) != before)
        original.tag("original")
        #expect(!copy.hasTag("original"))
    }

    @Test("has the kind of its original, whatever the static type says")
    func kinds() {
        let post: NetworkResourceWithBody = server().post("x").copy().json(["a": 1])
        let get: NetworkResourceWithoutBody = server().get("x").copy()
        let typed: TypedResource<User> = server().get("x").decode(User.self).copy()
        for resource: NetworkResource in [post, get] {
            #expect(type(of: resource.copy()) == type(of: resource))
        }
        for resource: any ModifiableResource in [post, get, typed] {
            #expect(type(of: resource.copy()) == type(of: resource))
        }
    }

    @Test("is loaded by the same interface, with its own parameters and the same decoder")
    func loads() async throws {
        let interface = RecordingInterface {
            NetworkResponse(head: ResponseHead(statusCode: 200), data: Data(#"{"user_name":"Ada"}"#.utf8), request: $0)
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let search = BaseResource("https://a", networkInterface: interface).get("search").query(["q": "swift"])
        let page = search.copy().query(["page": 2])
        _ = try await page.load()
        _ = try await search.load()
        let typed = search.decode(User.self, decoder: decoder)
        #expect(try await typed.copy().query(["page": 3]).load() == User(userName: "Ada"))
        #expect(try await typed.load() == User(userName: "Ada"))
        let queries = interface.requests.map { $0.target.query ?? "" }
        #expect(queries == ["q=swift&page=2", "q=swift", "q=swift&page=3", "q=swift"])
    }

    @Test("may be made and changed by many tasks simultaneously")
    func concurrency() async {
        let shared = full().query(["only": "shared"])
        let before = Self.snapshot(shared)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let copy = shared.copy().name("\(number)").tag("\(number)")
                    #expect(copy.draft.name == "\(number)")
                    #expect(copy.hasTag("\(number)"))
                    #expect(!copy.hasTag("\(number + 1)"))
                }
            }
        }
        #expect(Self.snapshot(shared) == before)
    }
}

extension CopyTests.Change {
    init(_ name: String, _ apply: @escaping @Sendable (NetworkResourceWithBody) -> Void) {
        testDescription = name
        self.apply = apply
    }
}
