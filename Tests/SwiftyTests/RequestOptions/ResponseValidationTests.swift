// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

@Suite("A check of a response", .timeLimit(.minutes(15)))
struct ResponseValidationTests {
    struct Empty: Error {}

    private func stub(_ content: String = "content", status: Int = 200) -> StubTransport {
        StubTransport(status: status, headers: [.eTag: "\"v\""], content: content)
    }

    @Test("sees status, fields and content, in the order of the calls, until one throws")
    func order() async throws {
        let seen = Recording<String>()
        let api = Swifty(transport: stub()).api
        let resource = api.get("x")
            .validate { seen.append("1 \($0.statusCode ?? 0) \($0.head?.headers[.eTag] ?? "")") }
            .validate { seen.append("2 \(try $0.text())") }
        try await resource.load()
        #expect(seen.take() == ["1 200 \"v\"", "2 content"])
        resource.validate { _ in throw Empty() }.validate { _ in seen.append("4") }
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(seen.take().count == 2)
        #expect(error?.code == .validationFailed)
        #expect(error?.underlying is Empty)
        #expect(error?.stage == .validation)
        #expect(error?.statusCode == 200)
        #expect(error?.content == Data("content".utf8))
        #expect(error?.description.contains("the response was refused: Empty()") == true)
    }

    @Test("does not see what other rules refuse, and throws a SwiftyError as it is")
    func otherRules() async throws {
        let seen = Counter()
        let failed = Swifty(transport: stub(status: 500)).api.get("x").validate { _ in seen.increment() }
        #expect(await #expect(throws: SwiftyError.self) { try await failed.load() }?.code == .unacceptableStatus)
        #expect(seen.value == 0)
        let code = SwiftyError.Code(rawValue: "mine")
        let own = Swifty(transport: stub()).api.get("x").validate { _ in throw SwiftyError(code, stage: .validation) }
        #expect(await #expect(throws: SwiftyError.self) { try await own.load() }?.code == code)
    }

    @Test("is for typed values, mocks and the heads of streams as well, and response interceptors see its failure")
    func kinds() async throws {
        let failures = Counter()
        let hook = ResponseHook { response in
            if response.error?.code == .validationFailed { failures.increment() }
            return response
        }
        let server = try LoopbackServer()
        let swifty = Swifty { $0.use(hook) }
        let base = BaseResource(server.url, networkInterface: swifty)
        let typed = base.get("json").decode([String: String].self).validate { _ in throw Empty() }
        await #expect(throws: SwiftyError.self) { try await typed.load() }
        let mocked = base.get("json").mock(data: Data("m".utf8)).validate { _ in throw Empty() }
        await #expect(throws: SwiftyError.self) { try await mocked.load() }
        let streamed = base.get("bytes/100").validate { response in
            #expect(response.data == nil)
            if response.statusCode == 200 { throw Empty() }
        }
        await #expect(throws: SwiftyError.self) { try await streamed.stream() }
        #expect(failures.value == 3)
    }
}
