// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

private enum Social: WebService {
    static let serverURL = "https://social.example.com/v1"
    static let networkInterface: any NetworkInterface = Swifty(transport: StubTransport(status: 500))

    static func configure(_ resource: NetworkResource) {
        resource.header("X-App", "1")
    }
}

private struct Favourite: RequestConvertible, Hashable {
    let id: Int

    func request() -> TypedResource<[String: Int]> {
        Social.server.post("favourites/\(id)").name("favourite").decode([String: Int].self)
    }
}

private struct Upload: RequestConvertible {
    let text: String

    func request() async throws -> NetworkResourceWithBody {
        await Task.yield()
        return Social.server.put("texts").text(text)
    }
}

private struct Refused: RequestConvertible {
    let error: any Error

    func request() throws -> NetworkResource { throw error }
}

@Suite("A type that stands for a request", .timeLimit(.minutes(15)))
struct RequestConvertibleTests {
    struct Mine: Error {}

    @Test("is loaded like the request that it makes, with the defaults of the service")
    func loads() async throws {
        let stub = StubTransport(content: #"{"id": 7}"#)
        try await withTransport(stub, for: Social.self) { () async throws in
            #expect(try await Favourite(id: 7).load() == ["id": 7])
            #expect(try await Favourite(id: 8).response().head?.statusCode == 200)
            #expect(try await Upload(text: "a").load().statusCode == 200)
        }
        let urls = stub.requests.map(\.target.string)
        #expect(
            urls == [
                "https://social.example.com/v1/favourites/7", "https://social.example.com/v1/favourites/8",
                "https://social.example.com/v1/texts",
            ]
        )
        #expect(stub.requests.allSatisfy { $0.values(of: "X-App") == ["1"] })
        #expect(stub.requests[2].content.data == Data("a".utf8))
        #expect(stub.requests[0].name == "favourite")
    }

    @Test("may refuse: with an error of the user, a SwiftyError or a cancellation")
    func refusal() async throws {
        let own = await #expect(throws: SwiftyError.self) { try await Refused(error: Mine()).load() }
        #expect(own?.code == .requestRefused)
        #expect(own?.underlying is Mine)
        #expect(own?.sent == .notSent)
        let shutdown = SwiftyError(.shutdown, stage: .queue)
        #expect(
            await #expect(throws: SwiftyError.self) { try await Refused(error: shutdown).load() }?.code == .shutdown
        )
        let cancelled = await #expect(throws: SwiftyError.self) {
            try await Refused(error: CancellationError()).load()
        }
        #expect(cancelled?.code == .cancelled)
    }
}
