// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A remote procedure call", .timeLimit(.minutes(15)))
struct RPCCallTests {
    struct Balance: Codable, Sendable, Equatable { var accountId: Int }
    struct Transfer: Encodable, Sendable { var fromAccount: Int, at: Date }

    enum Wallet: RPCService {
        static let serverURL = "https://a/rpc"
        static var networkInterface: any NetworkInterface { Answers.interface }
        static let format: any ContentFormat = .json { options in
            options.keys = .snakeCase
            options.dates = .iso8601
            options.sortsKeys = true
        }
        static func balance(_ id: Int) -> RPCCall<Balance> { call("balance", ["id": id]) }
        static func add(_ numbers: [Int]) -> RPCCall<Int> { call("add", numbers) }
        static func mixed() -> RPCCall<Int?> { call("mixed", [1, "two", Date(timeIntervalSince1970: 0)]) }
        static func transfer() -> RPCCall<NoResult> {
            call("transfer", Transfer(fromAccount: 1, at: Date(timeIntervalSince1970: 0)))
        }
        static func ping() -> RPCCall<String> { call("ping") }
    }

    @Test("sends the method, the parameters in the format of the service, and a number")
    func content() async throws {
        let sent = try await answered(
            #"{"jsonrpc":"2.0","result":{"account_id":7},"id":1}"#,
            #"{"jsonrpc":"2.0","result":3,"id":1}"#,
            #"{"jsonrpc":"2.0","result":null,"id":1}"#,
            #"{"jsonrpc":"2.0","result":{"any":[1]},"id":1}"#,
            #"{"jsonrpc":"2.0","result":"pong","id":1}"#,
            ""
        ) { answers async throws in
            #expect(try await Wallet.balance(7).load() == Balance(accountId: 7))
            #expect(try await Wallet.add([1, 2]).response().value == 3)
            #expect(try await Wallet.mixed().load() == nil)
            #expect(try await Wallet.transfer().load() == NoResult())
            #expect(try await Wallet.ping().request.map { $0.count }.load() == 4)
            try await Wallet.ping().header("X", "y").notify()
            #expect(answers.requests.last?.headers.contains { $0.name.rawName == "X" } == true)
            #expect(answers.requests.first?.headers[.contentType] == "application/json")
            #expect(answers.requests.first?.headers[.accept] == "application/json")
            return answers.sentTexts
        }
        #expect(
            sent == [
                #"{"id":1,"jsonrpc":"2.0","method":"balance","params":{"id":7}}"#,
                #"{"id":1,"jsonrpc":"2.0","method":"add","params":[1,2]}"#,
                #"{"id":1,"jsonrpc":"2.0","method":"mixed","params":[1,"two","1970-01-01T00:00:00Z"]}"#,
                #"{"id":1,"jsonrpc":"2.0","method":"transfer","#
                    + #""params":{"at":"1970-01-01T00:00:00Z","from_account":1}}"#,
                #"{"id":1,"jsonrpc":"2.0","method":"ping"}"#, #"{"jsonrpc":"2.0","method":"ping"}"#,
            ]
        )
    }

    @Test("fails with the error of the server, also under a failed status", arguments: [200, 400, 500])
    func errors(status: Int) async throws {
        let reply = #"{"jsonrpc":"2.0","error":{"code":-32601,"message":"No such method","data":{"name":"x"}},"id":1}"#
        let error = await #expect(throws: SwiftyError.self) {
            try await answered(reply, status: status) { _ async throws in try await Wallet.ping().load() }
        }
        #expect(error?.code == .callFailed)
        #expect(error?.rpcError?.code == RPCError.methodNotFound)
        #expect(try error?.rpcError?.data?.decoded([String: String].self) == ["name": "x"])
        #expect(error?.reason == "the call of ping failed: -32601 No such method")
        #expect(error?.statusCode == status)
        #expect(error?.content == Data(reply.utf8))
    }

    @Test(
        "keeps the error of a failed status whose content is no reply",
        arguments: ["", "<html>", "{}", "[]", "null"]
    )
    func otherFailures(content: String) async throws {
        let error = await #expect(throws: SwiftyError.self) {
            try await answered(content, status: 502) { _ async throws in try await Wallet.ping().load() }
        }
        #expect(error?.code == .unacceptableStatus)
    }

    @Test(
        "refuses a message that is no reply to it, and says why",
        arguments: [
            (#"{"jsonrpc":"2.0","result":"x","id":2}"#, "call 2"), (#"{"jsonrpc":"1.0","result":"x","id":1}"#, "2.0"),
            (#"{"result":"x","id":1}"#, "jsonrpc"), (#"{"jsonrpc":"2.0","id":1}"#, "result"),
            (#"{"jsonrpc":"2.0","result":1,"id":1}"#, "result: expected a string, found 1"),
            (#"{"jsonrpc":"2.0","result":"x","error":{"code":1,"message":""},"id":1}"#, "both"),
            (#"{"jsonrpc":"2.0","error":{"message":"x"},"id":1}"#, "error.code"),
            (#"{"jsonrpc":"2.0","error":"x","id":1}"#, "error: expected an object"),
            (#"{"jsonrpc":"2.0","result":"x","id":"1"}"#, "id: expected an integer"), ("[]", "expected an object"),
            (#"{"jsonrpc":"2.0","error":{"code":99999999999999999999,"message":""},"id":1}"#, "number"),
            (String(repeating: "[", count: 100_000), "not"), ("", "no content"),
        ]
    )
    func hostile(content: String, reason: String) async throws {
        let error = await #expect(throws: SwiftyError.self) {
            try await answered(content) { _ async throws in try await Wallet.ping().load() }
        }
        #expect(error?.code == .decodingFailed || error?.code == .emptyResponse)
        #expect(error?.reason.contains(reason) == true)
    }

    @Test("whose error data is deeply nested is an error, and nothing is trapped", arguments: [90, 300, 5_000])
    func depth(levels: Int) async throws {
        let data = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        let reply = #"{"jsonrpc":"2.0","error":{"code":1,"message":"m","data":\#(data)},"id":1}"#
        let error = await #expect(throws: SwiftyError.self) {
            try await answered(reply) { _ async throws in try await Wallet.ping().load() }
        }
        #expect(error?.code == (levels < 100 ? .callFailed : .decodingFailed))
        if levels < 100 { #expect(error?.rpcError?.data?.description == data) }
    }

    @Test("whose parameters cannot be encoded fails before anything is sent")
    func encoding() async throws {
        enum Numbers: RPCService {
            static let serverURL = "https://a"
            static var networkInterface: any NetworkInterface { Answers.interface }
            static func send(_ value: Double) -> RPCCall<Int> { call("x", [value]) }
        }
        let error = await #expect(throws: SwiftyError.self) { try await Numbers.send(.nan).load() }
        #expect(error?.code == .encodingFailed)
        let batch = await #expect(throws: SwiftyError.self) {
            try await Numbers.batch(Numbers.send(1), Numbers.send(.nan))
        }
        #expect(batch?.code == .encodingFailed)
    }

    @Test("may have another envelope")
    func ownEnvelope() async throws {
        struct Boxed: RPCEnvelope {
            func encode(_ call: RPCMessage, to encoder: any Encoder) throws {
                var members = encoder.container(keyedBy: Key.self)
                try members.encode(call.method, forKey: .fn)
                try call.encodeParameters(in: &members, forKey: .args)
            }
            func decode<Value: Decodable>(_ type: Value.Type, from decoder: any Decoder) throws -> RPCReply<Value> {
                let members = try decoder.container(keyedBy: Key.self)
                if let code = try members.decodeIfPresent(Int.self, forKey: .err) {
                    return RPCReply(id: 1, .failure(RPCError(code: code, message: "refused")))
                }
                return RPCReply(id: 1, .success(try members.decode(type, forKey: .ok)))
            }
            enum Key: CodingKey { case fn, args, ok, err }
        }
        enum Old: RPCService {
            static let serverURL = "https://a"
            static let callPath: RequestPath = "v1/call"
            static let envelope: any RPCEnvelope = Boxed()
            static var networkInterface: any NetworkInterface { Answers.interface }
            static func double(_ number: Int) -> RPCCall<Int> { call("double", [number]) }
        }
        try await answered(#"{"ok":4}"#, #"{"err":9}"#) { answers async throws in
            #expect(try await Old.double(2).load() == 4)
            let error = await #expect(throws: SwiftyError.self) { try await Old.double(2).load() }
            #expect(error?.rpcError == RPCError(code: 9, message: "refused"))
            #expect(answers.sentTexts.first?.contains(#""args":[2]"#) == true)
            #expect(answers.requests.first?.target.string == "https://a/v1/call")
        }
    }
}
