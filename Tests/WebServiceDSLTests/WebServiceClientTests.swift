// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A WebServiceClient", .timeLimit(.minutes(15)))
struct WebServiceClientTests {
    struct User: Codable {
        var userName: String
    }

    struct Account: WebServiceClient {
        let serverURL: String
        let networkInterface: any NetworkInterface
        var token = "t0k3n"
        var queryEncoding = QueryEncoding.standard
        var encoder = JSONEncoder()
        var decoder = JSONDecoder()
        var secretNames = SecretNames.standard

        func configure(_ resource: NetworkResource) {
            resource.bearer(token).timeout(.seconds(7))
        }

        func repositories() -> NetworkResource { server.get("user/repos") }
        func rename(_ user: User) -> NetworkResource { server.patch("user").json(user) }
    }

    /// The least that a client needs.
    struct Plain: WebServiceClient {
        let serverURL = "https://api.example.com"
        let networkInterface: any NetworkInterface = RecordingInterface()
    }

    private func account(_ host: String = "a", _ interface: RecordingInterface = RecordingInterface()) -> Account {
        Account(serverURL: "https://\(host).example.com/v1", networkInterface: interface)
    }

    @Test("sends the requests of each value to its own server, through its own interface, with its own defaults")
    func values() async throws {
        let interfaces = [RecordingInterface(), RecordingInterface()]
        var accounts = [account("a", interfaces[0]), account("b", interfaces[1])]
        accounts[1].token = "other"
        for account in accounts { _ = try await account.repositories().load() }
        for (interface, (host, token)) in zip(interfaces, [("a", "t0k3n"), ("b", "other")]) {
            let request = try #require(interface.requests.first)
            #expect(request.target.string == "https://\(host).example.com/v1/user/repos")
            #expect(request.headers[.authorization] == "Bearer \(token)")
            #expect(request.timeouts.total == .seconds(7))
            #expect(interface.requests.count == 1)
        }
    }

    @Test("sets the coders of its requests")
    func coders() async throws {
        let interface = RecordingInterface {
            NetworkResponse(head: ResponseHead(statusCode: 200), data: Data(#"{"user_name":"a"}"#.utf8), request: $0)
        }
        var account = account("a", interface)
        account.queryEncoding = .brackets
        account.encoder.keyEncodingStrategy = .convertToSnakeCase
        account.decoder.keyDecodingStrategy = .convertFromSnakeCase
        let request = try await freeze(account.rename(User(userName: "a")))
        #expect(request.content.data == Data(#"{"user_name":"a"}"#.utf8))
        #expect(try await account.repositories().load(User.self).userName == "a")
        #expect(try await account.server("https://b.test").get("x").decode(User.self).load().userName == "a")
        #expect(account.server.get("x").query(["a": [1, 2]]).draft.fullTarget?.query == "a%5B%5D=1&a%5B%5D=2")
    }

    @Test("hides the secrets that it names")
    func secrets() {
        var account = account()
        account.secretNames = SecretNames(["iban"])
        #expect(!"\(account.server.get("x").query(["iban": "canary"]))".contains("canary"))
        #expect("\(self.account().server.get("x").query(["iban": "visible"]))".contains("visible"))
    }

    @Test("needs a server URL and an interface alone, and keeps the interface alive until the load has finished")
    func least() async throws {
        #expect(try await Plain().server.get("x").load().statusCode == 200)
        let error = await #expect(throws: SwiftyError.self) { try await Plain().server("example.com").get().load() }
        #expect(error?.code == .invalidBaseURL)
    }
}
