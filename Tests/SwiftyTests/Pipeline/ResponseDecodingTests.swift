// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import Synchronization
import Testing

@Suite("The content of a response", .timeLimit(.minutes(15)))
struct ResponseDecodingTests {
    private struct User: Codable, Equatable, Sendable {
        var userName: String
    }

    /// Decodes each response in the pipeline.
    private final class Decoding: ResponseInterceptor {
        let names = Mutex<[String]>([])

        func intercept(response: NetworkResponse) async throws -> NetworkResponse {
            let user = try response.decode(User.self)
            names.withLock { $0.append(user.userName) }
            return response
        }
    }

    private static func server() throws -> LoopbackServer {
        try LoopbackServer { server in
            server.route("GET", "/user") { _ in LoopbackResponse.text(#"{"user_name":"a"}"#) }
            server.route("GET", "/error") { _ in LoopbackResponse.text(#"{"user_name":"b"}"#, status: 500) }
        }
    }

    @Test("is decoded with the decoder of its service by default, in hooks and after an error as well")
    func serviceDecoder() async throws {
        let (server, hook) = (try Self.server(), Decoding())
        let base = BaseResource(server.url, networkInterface: Swifty { $0.use(hook) }, keyStyle: .snakeCase)
        #expect(try await base.get("user").load().decode(User.self).userName == "a")
        #expect(
            try await base.get("user").mock(data: Data(#"{"user_name":"c"}"#.utf8)).load().decode(User.self).userName
                == "c"
        )
        let name: String? = await withCheckedContinuation { continuation in
            base.get("error").load { (response: NetworkResponse) in
                continuation.resume(returning: try? response.decode(User.self).userName)
            }
        }
        #expect(name == "b")
        #expect(hook.names.withLock { $0 } == ["a", "c", "b"])
        #expect(throws: SwiftyError.self) {
            try NetworkResponse(head: nil, data: Data(#"{"user_name":"a"}"#.utf8)).decode(User.self)
        }
    }

    @Test("that has a missing name in snake case is answered with the style to set")
    func otherStyle() async throws {
        let server = try Self.server()
        let base = BaseResource(server.url, networkInterface: Swifty())
        let error = await #expect(throws: SwiftyError.self) { try await base.get("user").load(User.self) }
        #expect(error?.reason.contains(#"userName: no such value, but one for "user_name" (the keyStyle"#) == true)
        struct Other: Decodable, Sendable { var age: Int }
        let missing = await #expect(throws: SwiftyError.self) { try await base.get("user").load(Other.self) }
        #expect(missing?.reason.contains("but one for") == false)
    }

    @Test("of a stream is collected up to a limit")
    func collect() async throws {
        let server = try Self.server()
        let base = BaseResource(server.url, networkInterface: Swifty())
        #expect(try await base.get("user").stream().collect(limit: 17) == Data(#"{"user_name":"a"}"#.utf8))
        let stream = try await base.get("user").stream()
        let error = await #expect(throws: SwiftyError.self) { try await stream.collect(limit: 16) }
        #expect(error?.code == .responseTooLarge)
        #expect(error?.statusCode == 200)
    }
}
