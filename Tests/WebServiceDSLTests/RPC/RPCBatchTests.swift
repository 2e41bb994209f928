// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("Remote procedure calls in one request", .timeLimit(.minutes(15)))
struct RPCBatchTests {
    typealias Wallet = RPCCallTests.Wallet

    private func reply(_ id: Int, _ result: String) -> String { #"{"jsonrpc":"2.0","result":\#(result),"id":\#(id)}"# }
    private func refusal(_ id: String, _ code: Int) -> String {
        #"{"jsonrpc":"2.0","error":{"code":\#(code),"message":"no"},"id":\#(id)}"#
    }

    @Test("have each its result, in whatever order the replies come")
    func results() async throws {
        let content = "[\(reply(3, "\"pong\"")),\(reply(1, #"{"account_id":5}"#)),\(reply(2, "3"))]"
        try await answered(content) { answers async throws in
            let (balance, sum, pong) = try await Wallet.batch(Wallet.balance(5), Wallet.add([1, 2]), Wallet.ping())
            #expect(balance.accountId == 5)
            #expect(sum == 3)
            #expect(pong == "pong")
            #expect(answers.requests.count == 1)
            #expect(
                answers.sentTexts == [
                    #"[{"id":1,"jsonrpc":"2.0","method":"balance","params":{"id":5}},"#
                        + #"{"id":2,"jsonrpc":"2.0","method":"add","params":[1,2]},"#
                        + #"{"id":3,"jsonrpc":"2.0","method":"ping"}]"#
                ]
            )
        }
    }

    @Test("have each its error: refused, missing, of another type, or repeated")
    func errors() async throws {
        let content = "[\(refusal("2", 42)),\(reply(3, "1")),\(reply(4, "7")),\(reply(4, "8")),\(reply(99, "1")),5]"
        let results = try await answered(content) { _ async throws in
            try await Wallet.batchResults(
                Wallet.ping(),
                Wallet.ping(),
                Wallet.ping(),
                Wallet.add([7]),
                Wallet.add([])
            )
        }
        let failures = [results.0.failure, results.1.failure, results.2.failure, results.3.failure, results.4.failure]
        let codes: [SwiftyError.Code] = [.emptyResponse, .callFailed, .decodingFailed, .decodingFailed, .emptyResponse]
        #expect(failures.map { $0?.code } == codes)
        #expect(results.1.failure?.rpcError?.code == 42)
        #expect(results.0.failure?.reason.contains("call 99") == true)
        #expect(results.3.failure?.reason.contains("two replies") == true)
        #expect(results.0.failure?.statusCode == 200)
        await #expect(throws: SwiftyError.self) {
            try await answered("[\(refusal("1", 1))]") { _ async throws in try await Wallet.batch(Wallet.ping()) }
        }
    }

    @Test("fail together if the server cannot read the request, or its content is no list of replies")
    func whole() async throws {
        for status in [200, 400] {
            let error = await #expect(throws: SwiftyError.self) {
                try await answered(refusal("null", -32_700), status: status) { _ async throws in
                    try await Wallet.batchResults([Wallet.ping(), Wallet.ping()])
                }
            }
            #expect(error?.rpcError?.code == RPCError.parseError)
        }
        for content in ["{}", "1", "<html>", ""] {
            await #expect(throws: SwiftyError.self) {
                try await answered(content) { _ async throws in try await Wallet.batchResults([Wallet.ping()]) }
            }
        }
        let results = try await answered("[]") { _ async throws in try await Wallet.batchResults([Wallet.ping()]) }
        #expect(results.map { $0.failure?.code } == [.emptyResponse])
        let one = try await answered(reply(1, "\"pong\"")) { _ async throws in
            try await Wallet.batchResults([Wallet.ping()])
        }
        #expect(one[0].failure?.reason.contains("one reply instead of a list") == true)
    }

    @Test("are not lost among any number of replies that are none, or to other calls")
    func noise() async throws {
        let ids = [Int.min, .max, 0, -1, 2].map { reply($0, "1") }
        let noise = Array(repeating: "1", count: 20_000) + ids
        let results = try await answered("[\(noise.joined(separator: ",")),\(reply(1, "\"pong\""))]") {
            _ async throws in
            try await Wallet.batchResults([Wallet.ping()])
        }
        #expect(try results.map { try $0.get() } == ["pong"])
        let lost = try await answered("[\(noise.joined(separator: ","))]") { _ async throws in
            try await Wallet.batchResults([Wallet.ping()])
        }
        #expect(lost[0].failure?.code == .emptyResponse)
        #expect((lost[0].failure?.reason.count ?? 0) < 2_000)
    }

    @Test("may be none, which sends nothing, or a thousand")
    func counts() async throws {
        try await answered("") { answers async throws in
            #expect(try await Wallet.batchResults([RPCCall<Int>]()).isEmpty)
            #expect(answers.requests.isEmpty)
        }
        let replies = (1...1_000).shuffled().map { reply($0, "\($0)") }.joined(separator: ",")
        let results = try await answered("[\(replies)]") { _ async throws in
            try await Wallet.batchResults((1...1_000).map { Wallet.add([$0]) })
        }
        #expect(try results.map { try $0.get() } == Array(1...1_000))
    }
}

extension Result where Failure == SwiftyError {
    var failure: SwiftyError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
