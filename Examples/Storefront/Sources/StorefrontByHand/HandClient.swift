// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import CoreMetrics
import Foundation
import NIOCore
import NIOHTTP1

enum HandError: Error {
    case status(Int)
    case late
}

/// What Swifty does for the storefront, as far as a service by hand usually goes: a token, up to three attempts with
/// jitter, the caller's deadline, metrics; spans are AsyncHTTPClient's own. There is no circuit breaker, no retry
/// budget, no limit by host, and no line in the log.
struct HandClient: Sendable {
    let client: HTTPClient
    let tokens: HandTokens?

    func get<Value: Decodable & Sendable>(_ url: String, template: String) async throws -> Value {
        var attempt = 1
        while true {
            do {
                return try await getOnce(url, template: template)
            } catch HandError.status(let status) where attempt < 3 && [401, 429, 502, 503, 504].contains(status) {
                try await Task.sleep(for: .milliseconds(20 << (attempt - 1)) * Double.random(in: 0...1))
                attempt += 1
            }
        }
    }

    private func getOnce<Value: Decodable & Sendable>(_ url: String, template: String) async throws -> Value {
        let left = (HandDeadline.current ?? .now + HandDeadline.longest) - .now
        guard left > .milliseconds(5) else { throw HandError.late }
        let limit = min(left, .seconds(1))
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "grpc-timeout", value: "\(Int(limit / .microseconds(1)))u")
        let token = try await tokens?.current()
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        let start = ContinuousClock.now
        let response = try await client.execute(request, timeout: .nanoseconds(Int64(limit / .nanoseconds(1))))
        let bytes = try await response.body.collect(upTo: 1_000_000)
        record(since: start, template: template, status: response.status)
        if response.status == .unauthorized, let token { await tokens?.remove(token) }
        guard response.status == .ok else { throw HandError.status(Int(response.status.code)) }
        return try JSONDecoder().decode(Value.self, from: Data(buffer: bytes))
    }

    private func record(since start: ContinuousClock.Instant, template: String, status: HTTPResponseStatus) {
        let timer = Timer(
            label: "http.client.request.duration",
            dimensions: [("url.template", template), ("http.response.status_code", "\(status.code)")]
        )
        timer.recordNanoseconds(Int64((ContinuousClock.now - start) / .nanoseconds(1)))
    }
}
