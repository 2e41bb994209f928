// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import SwiftyTesting
import TestSupport

@testable import Swifty

extension DateClock {
    /// A date of HTTP, some seconds after the current one.
    func text(_ seconds: Double = 0) -> String { now().addingTimeInterval(seconds).httpText }
}

extension HTTPFields {
    /// Fields in their order, of which those with an invalid name are left out.
    init(_ fields: [(String, String)]) {
        self.init()
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { append(HTTPField(name: name, value: value)) }
        }
    }
}

extension TransportResponse {
    /// A response with fields and text.
    init(_ status: Int = 200, _ fields: [(String, String)] = [], _ text: String = "x") {
        var headers = HTTPFields(fields)
        if !text.isEmpty { headers[.contentLength] = "\(text.utf8.count)" }
        self.init(head: ResponseHead(statusCode: status, headers: headers), content: Data(text.utf8))
    }
}

/// A `Swifty` with a cache, over a transport whose responses a closure makes, at a time that the test sets.
struct CachedAPI {
    let clock = DateClock()
    let cache: ResponseCache
    let stub: StubTransport
    let swifty: Swifty

    init(
        configure: (inout Swifty.Configuration) -> Void = { _ in },
        answer: @escaping @Sendable (_ number: Int, NetworkRequest) async throws -> TransportResponse
    ) {
        let count = Counter()
        stub = StubTransport { try await answer(count.increment(), $0) }
        cache = ResponseCache(now: clock.now)
        let cache = cache
        swifty = Swifty(transport: stub) {
            $0.responseCache = cache
            configure(&$0)
        }
    }

    /// With a response that is the same for all requests, but has the number of its request as content.
    init(fields: [(String, String)], status: Int = 200) {
        self.init { number, _ in TransportResponse(status, fields, "\(number)") }
    }

    func get(_ path: String = "x") -> NetworkResource {
        swifty.api.get("\(path)").validate(status: .any)
    }

    /// The content of the response to a GET request: the number of the request that it answered.
    func number(_ path: String = "x") async throws -> String { try await get(path).load().string ?? "" }
}
