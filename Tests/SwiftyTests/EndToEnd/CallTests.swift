// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

/// Against the packages json-rpc and graphql-core of Python.
@Suite("Calls over sockets", .timeLimit(.minutes(15)))
struct CallTests {
    @TaskLocal fileprivate static var url = ""

    private struct Balance: Codable, Sendable, Equatable { var accountId: Int, amount: Double }

    private enum Wallet: RPCService {
        static var serverURL: String { CallTests.url }
        static let networkInterface: any NetworkInterface = Swifty()
        static let callPath: RequestPath = "rpc"
        static let keyStyle = QueryEncoding.KeyStyle.snakeCase
        static func balance(_ id: Int) -> RPCCall<Balance> { call("balance", ["id": id]) }
        static func add(_ a: Int, _ b: Int) -> RPCCall<Int> { call("add", [a, b]) }
        static func refuse() -> RPCCall<Int> { call("refuse", ["data": ["seconds": 3]]) }
        static func note(_ text: String) -> RPCCall<NoResult> { call("note", [text]) }
        static func notes() -> RPCCall<[String]> { call("notes") }
        static func unknown() -> RPCCall<Int> { call("unknown") }
    }

    private struct Hero: Codable, Sendable, Equatable {
        struct Friend: Codable, Sendable, Equatable { var name: String }
        var name: String
        var friends: [Friend?]?
    }

    private enum StarWars: GraphQLService {
        static var serverURL: String { CallTests.url }
        static let networkInterface: any NetworkInterface = Swifty()
        static func hero(_ episode: Int, friends: Bool = false) -> GraphQLOperation<Hero> {
            let fields = friends ? "name friends { name }" : "name"
            return operation("query($e: Int!) { hero(episode: $e) { \(fields) } }", ["e": episode], at: "hero")
        }
        static func rename(_ name: String) -> GraphQLOperation<Hero> {
            operation("mutation($n: String!) { rename(name: $n) { name } }", ["n": name], at: "rename")
        }
        static func broken() -> GraphQLOperation<String> { operation("{ broken }", at: "broken") }
        static func malformed() -> GraphQLOperation<String> { operation("{ hero(", at: "hero") }
    }

    @Test("of JSON-RPC have their results, errors, notifications and batches")
    func rpc() async throws {
        let peer = try await PeerServer.calls()
        try await Self.$url.withValue(peer.url) {
            #expect(try await Wallet.balance(2).load() == Balance(accountId: 2, amount: 21))
            let refused = await #expect(throws: SwiftyError.self) { try await Wallet.refuse().load() }
            #expect(refused?.rpcError?.code == 42)
            #expect(try refused?.rpcError?.data?.decoded([String: Int].self) == ["seconds": 3])
            let unknown = await #expect(throws: SwiftyError.self) { try await Wallet.unknown().load() }
            #expect(unknown?.rpcError?.code == RPCError.methodNotFound)
            try await Wallet.note("é\n").notify()
            #expect(try await Wallet.notes().load() == ["é\n"])
            let results = try await Wallet.batchResults(Wallet.add(1, 2), Wallet.refuse(), Wallet.balance(1))
            #expect(try results.0.get() == 3)
            #expect(throws: SwiftyError.self) { try results.1.get() }
            #expect(try results.2.get().amount == 10.5)
            let (sum, other) = try await Wallet.batch(Wallet.add(1, 2), Wallet.balance(3))
            #expect(sum == 3 && other.accountId == 3)
        }
    }

    @Test("of GraphQL have their data, partial data, errors, and persisted queries")
    func graphQL() async throws {
        let peer = try await PeerServer.calls()
        try await Self.$url.withValue(peer.url) {
            #expect(try await StarWars.hero(4).load() == Hero(name: "Luke"))
            #expect(try await StarWars.rename("Leia").load().name == "Leia")
            let partial = try await StarWars.hero(4, friends: true).response()
            #expect(partial.value == Hero(name: "Luke", friends: [.init(name: "R2-D2"), nil]))
            #expect(partial.errors.map(\.path) == ["hero.friends[1].name"])
            for operation in [StarWars.broken(), StarWars.malformed()] {
                let error = await #expect(throws: SwiftyError.self) { try await operation.load() }
                #expect(error?.code == .callFailed)
                #expect(error?.graphQLErrors.count == 1)
            }
            let none = await #expect(throws: SwiftyError.self) { try await StarWars.hero(5).load() }
            #expect(none?.reason.contains("data.hero: expected an object, found null") == true)
        }
    }

    @Test("of GraphQL by the digest of their text are sent with GET once the server knows the text")
    func persisted() async throws {
        enum Persisted: GraphQLService {
            static var serverURL: String { CallTests.url }
            static let networkInterface: any NetworkInterface = Swifty()
            static let operationPath: RequestPath = "persisted"
            static func hero(_ episode: Int) -> GraphQLOperation<Hero> {
                operation("query($e: Int!) { hero(episode: $e) { name } }", ["e": episode], at: "hero").persisted()
            }
        }
        let peer = try await PeerServer.calls()
        try await Self.$url.withValue(peer.url) {
            let responses = [try await Persisted.hero(4).response(), try await Persisted.hero(4).response()]
            #expect(responses.map { $0.value?.name } == ["Luke", "Luke"])
            #expect(responses.map { $0.head?["X-Method"] } == ["POST", "GET"])
        }
    }
}

extension PeerServer {
    /// The server of `Tests/Peers/calls.py`.
    fileprivate static func calls() async throws -> PeerServer {
        let folder = URL(filePath: ExternalProgram.peer("calls.py")).deletingLastPathComponent().path
        return try await start(ExternalProgram.python) { ports, _ in
            [
                "-m", "gunicorn", "calls:app", "--chdir", folder, "-b", "127.0.0.1:\(ports[0])", "--log-level", "error",
            ]
        }
    }
}
