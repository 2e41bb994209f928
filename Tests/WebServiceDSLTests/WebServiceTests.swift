// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A WebService")
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

    @Test("keeps a computed network interface alive until the load is over (defect 2)")
    func computedInterface() async throws {
        let response = try await Computed.ip().load()
        #expect(response.statusCode == 200)
    }

    @Test(
        "with an unusable base URL fails at load and says what is wrong (defects 4 and 11)",
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

    @Test("makes resources for another base URL with its own interface")
    func customResource() async throws {
        let request = try await freeze(Computed.server("http://other:8080").get("x"))
        #expect(request.target.string == "http://other:8080/x")
    }

    @Test("decides how its queries are written")
    func queryEncoding() async throws {
        let request = try await freeze(Brackets.server.get("x").query(["a": [true]]))
        #expect(request.target.query == "a%5B%5D=1")
    }
}
