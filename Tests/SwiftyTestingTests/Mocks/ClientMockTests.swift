// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestTraits
import TestSupport
import Testing

/// A client whose own transport fails each test that reaches it.
private struct Account: WebServiceClient {
    let serverURL: String
    let networkInterface: any NetworkInterface
    let secretNames = SecretNames(["iban"])

    init(_ host: String, _ transport: any Transport = Account.network) {
        serverURL = "https://\(host).example/v1"
        networkInterface = Swifty(transport: transport)
    }

    private static let network = StubTransport { request in
        Issue.record("\(request) has reached the network")
        throw SwiftyError(.connectionFailed, stage: .connect)
    }

    func balance(of iban: String) -> NetworkResource { server.get("accounts/\(iban, as: "iban")/balance") }
    func owner() -> NetworkResource { server.get("owner") }
}

/// A client of another API.
private struct Exchange: WebServiceClient {
    let serverURL = "https://exchange.example"
    let networkInterface: any NetworkInterface = Swifty(transport: StubTransport(content: "rate"))

    func rate() -> NetworkResource { server.get("rate") }
}

@Suite("The mocks of a client", .timeLimit(.minutes(15)))
struct ClientMockTests {
    private func expect(_ resource: NetworkResource, _ text: String) async throws {
        #expect(try await resource.load().text() == text)
    }

    @Test("answer the requests of all its values, by pattern, and keep what was sent")
    func patterns() async throws {
        try await withMocks(for: Account.self, [.get("accounts/{iban}/balance"): .text("12")]) {
            for host in ["a", "b"] {
                try await expect(Account(host).balance(of: "DE 1"), "12")
            }
            #expect(
                try Account.sent().map(\.url) == [
                    "https://a.example/v1/accounts/DE%201/balance", "https://b.example/v1/accounts/DE%201/balance",
                ]
            )
            #expect(throws: SwiftyError.self) { try Exchange.sent() }
            let error = await #expect(throws: SwiftyError.self) { try await Exchange().rate().load() }
            #expect(error?.code == .mockUnavailable)
        }
    }

    @Test("are files in the folder with its name, by function and by template")
    func files() async throws {
        let folder = try TemporaryFolder()
        let place = URL(fileURLWithPath: folder.path("Account/accounts/{iban}"))
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data(#"{"amount":7}"#.utf8).write(to: place.appending(path: "balance.json"))
        try Data(#"{"name":"Ada"}"#.utf8).write(to: URL(fileURLWithPath: folder.path("Account/owner.json")))
        var policy = MockPolicy()
        policy.folder = folder.path("Account")
        try await withMocks(for: Account.self, policy: policy) {
            try await expect(Account("a").balance(of: "x"), #"{"amount":7}"#)
            try await expect(Account("b").owner(), #"{"name":"Ada"}"#)
        }
    }

    @Test("say which file would answer a request without one")
    func missing() async throws {
        let error = await #expect(throws: SwiftyError.self) {
            try await withMocks(for: Account.self) { try await Account("a").owner().load() }
        }
        #expect(error?.reason.contains("Mocks/Account/owner.json") == true, "\(error?.reason ?? "")")
    }

    @Test("may be given by a trait", .mocked(Account.self, [.get("owner"): .text("Ada")]))
    func ofTrait() async throws {
        try await expect(Account("a").owner(), "Ada")
    }

    @Test("keep a load that has lost them from the network")
    func lost() async throws {
        try await withMocks(for: Account.self, [.get("owner"): .text("Ada")]) {
            let network = FailingNetwork()
            let load = Task.detached { try await Account("a", network).owner().load() }
            let error = await #expect(throws: SwiftyError.self) { try await load.value }
            #expect(error?.code == .mockUnavailable)
            #expect(error?.reason.contains("a test mocks Account now") == true, "\(error?.reason ?? "")")
        }
    }

    /// A transport that says that it has a network.
    private struct FailingNetwork: Transport {
        var capabilities: TransportCapabilities { [.network] }

        func send(
            _ request: NetworkRequest,
            cancellation: LoadCancellation
        ) async throws(SwiftyError) -> TransportResponse {
            Issue.record("\(request) has reached the network")
            throw SwiftyError(.connectionFailed, stage: .connect)
        }

        func shutdown() async {}
    }

    @Test("can be replaced by another interface or transport for the requests of the type alone")
    func replacements() async throws {
        let tenant = Swifty(transport: StubTransport(content: "tenant"))
        let texts = try await withNetworkInterface(tenant, for: Account.self) {
            [try await Account("a").owner().load().text(), try await Exchange().rate().load().text()]
        }
        #expect(texts == ["tenant", "rate"])
        let stub = try await withTransport(StubTransport(content: "stub"), for: Account.self) {
            try await Account("a").owner().load().text()
        }
        #expect(stub == "stub")
    }

    @Test("are recorded in a cassette without the secrets that the value names, and replayed from it")
    func cassette() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("client.har")
        for mode in [RecordMode.once, .none] {
            let transport: any Transport = mode == .once ? StubTransport(content: "12") : StubTransport(status: 500)
            try await withCassette(path, mode: mode, for: Account.self) {
                let account = Account("a", transport)
                try await expect(account.balance(of: "DE-canary"), "12")
                try await expect(account.owner().query("iban", "DE-canary"), "12")
            }
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains("balance") && !text.contains("DE-canary"))
        }
    }
}
