// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import WebServiceDSL

@Suite("A WebService", .timeLimit(.minutes(15)))
struct WebServiceTests {
    enum Computed: WebService {
        static var serverURL: String { "https://api.example.com/v1/" }
        static var networkInterface: any NetworkInterface { RecordingInterface() }
        static func ip() -> NetworkResource { server.get("ip") }
    }

    enum Brackets: WebService {
        static let serverURL = "https://api.example.com"
        static let networkInterface: any NetworkInterface = RecordingInterface()
        static let queryEncoding = QueryEncoding.brackets
    }

    enum Snakes: WebService {
        static let serverURL = "https://api.example.com"
        static let networkInterface: any NetworkInterface = RecordingInterface {
            NetworkResponse(head: ResponseHead(statusCode: 200), data: Data(#"{"user_name":"a"}"#.utf8), request: $0)
        }
        static let keyStyle = QueryEncoding.KeyStyle.snakeCase
    }

    enum Loud: WebService {
        static let serverURL = "https://api.example.com"
        static let networkInterface: any NetworkInterface = RecordingInterface {
            NetworkResponse(head: ResponseHead(statusCode: 200), data: Data(#"{"userName":"b"}"#.utf8), request: $0)
        }
        static let keyStyle = QueryEncoding.KeyStyle.custom { $0.uppercased() }
    }

    struct User: Codable {
        var userName: String
    }

    @Test("sets the coders of its requests, unless a request has its own")
    func coders() async throws {
        let user = User(userName: "a")
        let request = try await freeze(Snakes.server.post("x").json(user))
        #expect(request.content.data == Data(#"{"user_name":"a"}"#.utf8))
        #expect(try await Snakes.server.get("x").load(User.self).userName == "a")
        #expect(try await Snakes.server.get("x").decode(User.self).load().userName == "a")
        #expect(try await Snakes.server("https://b.test").get("x").decode(User.self).load().userName == "a")
        let own = try await freeze(Snakes.server.post("x").json(user, encoder: JSONEncoder()))
        #expect(own.content.data == Data(#"{"userName":"a"}"#.utf8))
        let error = await #expect(throws: SwiftyError.self) {
            try await Snakes.server.get("x").load(User.self, decoder: JSONDecoder())
        }
        #expect(error?.code == .decodingFailed)
    }

    @Test("writes and reads the names of properties in one style")
    func keyStyle() async throws {
        let user = User(userName: "a")
        #expect(Snakes.server.get("x").query(user).draft.fullTarget?.query == "user_name=a")
        let form = try await freeze(Snakes.server.post("x").fields(user))
        #expect(form.content.data == Data("user_name=a".utf8))
        let loud = try await freeze(Loud.server.post("x").json(["names": [user]]))
        #expect(loud.content.data == Data(#"{"names":[{"USERNAME":"a"}]}"#.utf8))
        #expect(Loud.server.get("x").query(user).draft.fullTarget?.query == "USERNAME=a")
        #expect(try await Loud.server.get("x").load(User.self).userName == "b")
    }

    @Test("keeps a computed network interface alive until the load has finished")
    func computedInterface() async throws {
        let response = try await Computed.ip().load()
        #expect(response.statusCode == 200)
    }

    @Test(
        "with an invalid base URL fails at load, with the reason",
        arguments: [
            ("example.com", "no scheme"), ("not a url", "space"), ("ftp://example.com", "\"ftp\""),
            ("https://", "no host"),
            ("https://user:canary@example.com", "credentials"), ("https://exa\\mple.com", "backslash"),
            ("https://example.com\r\nX: y", "control character"), ("", "empty"),
        ]
    )
    func badBaseURL(url: String, hint: String) async throws {
        let resource = server(url).get("ip")
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error?.code == .invalidBaseURL)
        #expect(error?.reason.contains(hint) == true, "\(error?.reason ?? "")")
        #expect(error?.description.contains("canary") == false)
        #expect(error.map { ($0 as NSError).domain } == "WebServiceErrorDomain")
    }

    private static let url = Mutex("https://a.test")

    enum Moving: WebService {
        static var serverURL: String { url.withLock { $0 } }
        static let networkInterface: any NetworkInterface = RecordingInterface()
    }

    @Test("gives its base URL for each request, so that a changed one takes effect, even if it is invalid")
    func changingBaseURL() async throws {
        for number in 0..<250 {
            Self.url.withLock { $0 = "https://a\(number % 130).test" }
            let request = try await freeze(Moving.server.get("x"))
            #expect(request.target.string == "https://a\(number % 130).test/x")
        }
        Self.url.withLock { $0 = "nowhere" }
        let error = await #expect(throws: SwiftyError.self) { try await freeze(Moving.server.get("x")) }
        #expect(error?.code == .invalidBaseURL)
    }

    @Test("makes resources for another base URL with its own interface")
    func customResource() async throws {
        let request = try await freeze(Computed.server("http://other:8080").get("x"))
        #expect(request.target.string == "http://other:8080/x")
    }

    @Test("sets the encoding of its queries")
    func queryEncoding() async throws {
        let request = try await freeze(Brackets.server.get("x").query(["a": [true]]))
        #expect(request.target.query == "a%5B%5D=1")
    }
}
