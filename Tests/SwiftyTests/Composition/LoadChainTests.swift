// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("A chain of loads", .timeLimit(.minutes(15)))
struct LoadChainTests {
    struct Cart: Codable, Sendable { var id: Int }
    struct NoCart: Error {}

    private let stub = StubTransport { request in
        switch request.target.path {
        case "/cart": TransportResponse(head: ResponseHead(statusCode: 200), content: Data(#"{"id":7}"#.utf8))
        case "/missing": TransportResponse(head: ResponseHead(statusCode: 404), content: Data())
        default: TransportResponse(head: ResponseHead(statusCode: 200), content: Data(request.target.path.utf8))
        }
    }

    @Test("passes the output of each step to the next, whatever their kinds")
    func results() async throws {
        let api = Swifty(transport: stub).api
        let order = api.get("cart").decode(Cart.self).then { cart in api.post("orders/{id}", ["id": cart.id]) }
        #expect(try await order.load().string == "/orders/7")
        let cart = api.get("x").then { response in
            api.get("cart").query(["after": response.string]).decode(Cart.self)
        }
        #expect(try await cart.load().id == 7)
        let long = cart.then { api.get("cart/{id}", ["id": $0.id]) }.then {
            api.get($0.string ?? "").then { _ in api.get("end") }
        }
        #expect(try await long.load().string == "/end")
        #expect(stub.requests.last?.target.path == "/end")
    }

    @Test("has steps of the user's type, which load nothing or several things")
    func ownSteps() async throws {
        struct Doubled: LoadStep {
            let number: Int
            func load() async throws(SwiftyError) -> Int {
                if number < 0 { throw SwiftyError(.dependencyFailed, stage: .building, reason: "negative") }
                return number * 2
            }
        }
        let api = Swifty(transport: stub).api
        let chain = Doubled(number: 3).then { Doubled(number: $0) }.then { api.get("orders/{id}", ["id": $0]) }
        #expect(try await chain.load().string == "/orders/12")
        let failing = api.get("cart").decode(Cart.self).then { Doubled(number: -$0.id) }
        let error = await #expect(throws: SwiftyError.self) { try await failing.load() }
        #expect(error?.reason == "negative")
        #expect(stub.requests.count == 2)
    }

    @Test("copies its first request: later changes do not affect the chain")
    func freezing() async throws {
        let api = Swifty(transport: stub).api
        let (plain, typed) = (api.get("x"), api.get("cart").decode(Cart.self))
        let long = plain.then { _ in api.get("y") }.then { _ in api.get("z") }
        let short = typed.then { _ in api.get("y") }
        plain.query(["late": 1])
        typed.query(["late": 1])
        _ = try await long.load()
        _ = try await short.load()
        #expect(stub.requests.map(\.target.path) == ["/x", "/y", "/z", "/cart", "/y"])
        #expect(stub.requests.compactMap(\.target.query).isEmpty)
    }

    @Test("ends with the error of the step that failed")
    func failures() async throws {
        let api = Swifty(transport: stub).api
        let first = await #expect(throws: SwiftyError.self) {
            try await api.get("missing").then { _ in api.get("next") }.load()
        }
        #expect(first?.statusCode == 404)
        #expect(first?.request?.template == "missing")
        #expect(stub.requests.count == 1)
        let second = await #expect(throws: SwiftyError.self) {
            try await api.get("x").then { _ in api.get("missing") }.load()
        }
        #expect(second?.statusCode == 404)
        let between = await #expect(throws: SwiftyError.self) {
            try await api.get("x").then { _ -> NetworkResource in throw NoCart() }.load()
        }
        #expect(between?.code == .dependencyFailed)
        #expect(between?.underlying is NoCart)
    }

    @Test("is cancelled if its task is cancelled while the closure waits")
    func cancelledClosure() async throws {
        let api = Swifty(transport: stub).api
        let isWaiting = Gate()
        let load = Task {
            try await api.get("x").then { _ -> NetworkResource in
                isWaiting.open()
                try await hang()
                return api.get("next")
            }.load()
        }
        try await until { isWaiting.isOpen }
        load.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await load.value }
        #expect(error?.code == .cancelled)
        #expect(error?.stage == .building)
        #expect(stub.requests.map(\.target.path) == ["/x"])
    }

    @Test("ends with its task, and the next step is not sent")
    func cancellation() async throws {
        let held = StubTransport { _ in
            await untilCancelled()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let api = Swifty(transport: held).api
        let load = Task { try await api.get("a").then { _ in api.get("b") }.load() }
        try await until { held.requests.count == 1 }
        load.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await load.value }
        #expect(error?.code == .cancelled)
        #expect(held.requests.count == 1)
    }
}
