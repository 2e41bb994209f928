// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport

/// A stub of an authorization server, which issues `access-1` and `refresh-1`, then `access-2` and so on, or responds
/// with an error.
struct TokenIssuer {
    let transport: StubTransport
    let swifty: Swifty

    init(lifetime: Int = 3600, gate: Gate? = nil, status: Int = 200) {
        let count = Counter()
        transport = StubTransport { _ in
            let number = count.increment()
            await gate?.wait()
            let body =
                #"{"access_token":"access-\#(number)","token_type":"Bearer","expires_in":\#(lifetime),"#
                + #""refresh_token":"refresh-\#(number)"}"#
            return TransportResponse(head: ResponseHead(statusCode: status), content: Data(body.utf8))
        }
        swifty = Swifty(transport: transport)
    }

    var requests: [NetworkRequest] { transport.requests }

    /// The form fields of each request.
    var forms: [[String: String]] {
        requests.map { request in
            let text = String(decoding: request.content.data ?? Data(), as: UTF8.self)
            let pairs = text.split(separator: "&").map { pair in
                pair.split(separator: "=", omittingEmptySubsequences: false).map {
                    String($0).removingPercentEncoding ?? ""
                }
            }
            return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
        }
    }
}

/// A token storage in memory.
final class MemoryStorage: OAuth2.TokenStorage {
    private let state: Mutex<OAuth2.Token?>

    init(_ token: OAuth2.Token?) {
        state = Mutex(token)
    }

    var token: OAuth2.Token? { state.withLock { $0 } }

    func load() async -> OAuth2.Token? { token }

    func save(_ token: OAuth2.Token?) async {
        await Task.yield()
        state.withLock { $0 = token }
    }
}

/// A clock that only tests advance.
final class TestTime: Sendable {
    private let state = Mutex(Date(timeIntervalSince1970: 1_000_000))

    var now: Date { state.withLock { $0 } }

    func advance(by interval: TimeInterval) {
        state.withLock { $0 += interval }
    }
}
