// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

extension NetworkRequest {
    /// A request for tests; the URL must be valid.
    static func to(
        _ url: String,
        method: HTTPRequest.Method = .get,
        headers: HTTPFields = [:],
        content: Data? = nil,
        timeouts: Timeouts = Timeouts(total: .seconds(120))
    ) throws -> NetworkRequest {
        NetworkRequest(
            method: method,
            target: try TargetURI(url),
            headers: headers,
            content: content.map { .data($0) } ?? .none,
            timeouts: timeouts
        )
    }
}

extension CurlTransport {
    func load(_ request: NetworkRequest) async throws(SwiftyError) -> TransportResponse {
        try await send(request, cancellation: LoadCancellation())
    }

    func result(of request: NetworkRequest) async -> Result<TransportResponse, SwiftyError> {
        do throws(SwiftyError) {
            return .success(try await load(request))
        } catch {
            return .failure(error)
        }
    }

    func get(_ url: String) async throws -> TransportResponse {
        try await load(.to(url))
    }

    /// Sends a request that must fail, and returns the error.
    func failure(
        of request: NetworkRequest,
        cancellation: LoadCancellation = LoadCancellation(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> SwiftyError {
        do {
            let response = try await send(request, cancellation: cancellation)
            Issue.record("the load succeeded with status \(response.head.statusCode)", sourceLocation: sourceLocation)
            throw UnexpectedSuccess()
        } catch let error as SwiftyError {
            return error
        }
    }
}

struct UnexpectedSuccess: Error {}

extension TransportResponse {
    var text: String { String(decoding: content, as: UTF8.self) }
}

extension CurlTransport.Configuration {
    static func with(_ change: (inout Self) -> Void) -> Self {
        var configuration = Self()
        change(&configuration)
        return configuration
    }
}

extension TransportSettings.Responses {
    static func with(_ change: (inout Self) -> Void) -> Self {
        var rules = Self()
        change(&rules)
        return rules
    }
}

extension ScriptedServer {
    /// Responds to the first request with these bytes and to a second one on the same connection with `reused`; on
    /// every other connection it responds correctly with `fresh`.
    static func answering(_ answer: String, then steps: [Step] = []) throws -> ScriptedServer {
        let first = Array(answer.utf8)
        return try ScriptedServer { connection in
            connection == 0
                ? [.readRequest, .send(first)] + steps + [.readRequest, .respond(content: "reused")]
                : [.readRequest, .respond(content: "fresh"), .stall]
        }
    }
}
