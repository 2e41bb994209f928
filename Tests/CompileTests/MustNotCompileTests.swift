// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("The compiler", .serialized, .timeLimit(.minutes(15)))
struct MustNotCompileTests {
    private func diagnose(_ code: String) async throws -> String {
        try await Compiler.diagnose([
            "main.swift": """
            import Foundation
            import Swifty
            enum API: WebService {
                static let serverURL = "https://example.com"
                static let networkInterface: any NetworkInterface = Swifty.shared
            }
            let server = API.server
            \(code)
            """
        ])
    }

    @Test(
        "refuses a body on a GET, HEAD or OPTIONS, and says what to use instead",
        arguments: [
            (
                #"_ = server.get("ip").json(["a": 1])"#,
                "'json' is unavailable: a GET, HEAD or OPTIONS request carries no body"
            ),
            (
                #"_ = server.get("ip").json(body: ["user": "name"])"#,
                "'json(body:)' is unavailable: a GET, HEAD or OPTIONS request carries no body"
            ),
            (
                #"_ = server.get("ip").data(Data())"#,
                "'data(_:mimeType:)' is unavailable: a GET, HEAD or OPTIONS request carries no body"
            ),
            (#"_ = server.head("ip").query(["a": 1]).data(Data())"#, "carries no body"),
            (#"_ = server.options("ip").priority(.high).fields(["a": 1])"#, "use query(_:) for parameters"),
            (#"_ = server.get("ip").multipart(name: "a", value: "b")"#, "has no member 'multipart'"),
            (#"_ = server.get("ip").text("a")"#, "has no member 'text'"),
        ]
    )
    func bodies(code: String, message: String) async throws {
        let diagnosis = try await diagnose(code)
        #expect(diagnosis.contains("error:") && diagnosis.contains(message), "\(diagnosis)")
    }

    @Test("accepts a body after any modifier of a POST, PUT, PATCH or DELETE")
    func accepted() async throws {
        let diagnosis = try await diagnose(
            """
            _ = server.post("x").priority(.high).query(["a": 1]).header(key: "A", value: "b").tag("t").json(["a": 1])
            _ = server.put("x").mock(file: "a.json").fields(["a": 1])
            _ = server.patch("x").timeout(.seconds(1)).text("a")
            _ = server.delete("x").validate(status: .any).data(Data())
            """
        )
        #expect(diagnosis == "")
    }

    @Test("refuses hooks that could race")
    func sendable() async throws {
        let diagnosis = try await diagnose(
            """
            final class Counting: RequestInterceptor {
                var count = 0
                func intercept(resource: NetworkResource) -> NetworkResource { resource }
            }
            """
        )
        #expect(diagnosis.contains("error:"), "\(diagnosis)")
    }
}
