// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import Synchronization

/// A server that resets the connection at the first request for every hundredth item: mostly in the middle of the
/// content, sometimes before the head, where the transport repeats an idempotent request.
///
/// `/item/{number}` may be fetched and posted to.
struct FaultyServer {
    let server: LoopbackServer
    /// The number of requests for each item.
    let attempts: Tally
    /// The idempotency keys of the requests for each item.
    let keys: KeyRecord

    static let content = Data(repeating: UInt8(ascii: "x"), count: 4_000)

    static func isFaulty(_ number: Int) -> Bool { number % 100 == 42 }

    private static func fault(of number: Int) -> LoopbackResponse.Fault {
        number % 500 == 42 ? .reset : .resetAfter(contentBytes: 2_000)
    }

    static func start(items: Int) async throws -> FaultyServer {
        let (attempts, keys) = (Tally(items), KeyRecord())
        let server = try LoopbackServer { server in
            server.route("*", "/item/{number}") { request in
                guard let number = request.pathVariables["number"].flatMap({ Int($0) }) else { return .status(404) }
                let attempt = attempts.count(number)
                if let key = request["Idempotency-Key"] { keys.add(key, of: number) }
                if request.method == "POST", request.content != Self.content { return .status(400) }
                let response = LoopbackResponse.data(Self.content)
                return attempt == 1 && isFaulty(number) ? response.failing(with: fault(of: number)) : response
            }
        }
        return FaultyServer(server: server, attempts: attempts, keys: keys)
    }
}

/// The idempotency keys of requests, by item.
final class KeyRecord: Sendable {
    private let state = Mutex<[Int: Set<String>]>([:])

    var keys: [Int: Set<String>] { state.withLock { $0 } }

    func add(_ key: String, of number: Int) {
        state.withLock { _ = $0[number, default: []].insert(key) }
    }
}
