// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

import struct Foundation.Data

extension NetworkRequest {
    static func to(
        _ url: String,
        _ method: HTTPRequest.Method = .get,
        headers: HTTPFields = [:],
        content: String? = nil,
        timeouts: Timeouts = Timeouts(total: .seconds(40))
    ) throws -> NetworkRequest {
        NetworkRequest(
            method: method,
            target: try TargetURI(url),
            headers: headers,
            content: content.map { .data(Data($0.utf8)) } ?? .none,
            timeouts: timeouts
        )
    }

    /// The same request with content from a source.
    func from(_ source: any ContentSource) -> NetworkRequest {
        var request = self
        request.content = .source(source)
        return request
    }
}

extension Transport {
    /// Sends a request that nothing cancels.
    func load(_ request: NetworkRequest) async throws(SwiftyError) -> TransportResponse {
        try await send(request, cancellation: LoadCancellation())
    }

    /// Sends a GET, and returns the content of the response.
    func text(of url: String) async throws -> String {
        try await load(.to(url)).text
    }

    /// Sends a request whose response is streamed.
    func open(_ request: NetworkRequest) async throws(SwiftyError) -> StreamedResponse {
        try await stream(request, cancellation: LoadCancellation())
    }

    /// Sends a request that must fail.
    func failure(
        of request: NetworkRequest,
        cancellation: LoadCancellation = LoadCancellation()
    ) async throws -> SwiftyError {
        switch await result(of: request, cancellation) {
        case .failure(let error): return error
        case .success(let response):
            throw ConformanceFailure(
                description: "the load succeeds with \(response.head.statusCode) and \(response.content.count) bytes"
            )
        }
    }

    /// The outcome of a request that may fail.
    func result(
        of request: NetworkRequest,
        _ cancellation: LoadCancellation = LoadCancellation()
    ) async -> Result<TransportResponse, SwiftyError> {
        await Result.of { () async throws(SwiftyError) in try await send(request, cancellation: cancellation) }
    }
}

extension TransportResponse {
    var text: String { String(decoding: content, as: UTF8.self) }
}

extension StreamedContent {
    /// Reads until the content fails.
    func failure() async throws -> SwiftyError {
        var count = 0
        do throws(SwiftyError) {
            while let part = try await next() { count += part.count }
        } catch {
            return error
        }
        throw ConformanceFailure(description: "the content ends after \(count) bytes without an error")
    }
}

/// The expected properties of an error.
struct ExpectedFailure: Sendable {
    var code: SwiftyError.Code
    /// Any of these; empty for any stage at all.
    var stages: Set<SwiftyError.Stage> = []
    /// `nil` for any state.
    var sent: SwiftyError.SentState?

    init(_ code: SwiftyError.Code, _ stages: Set<SwiftyError.Stage> = [], _ sent: SwiftyError.SentState? = nil) {
        (self.code, self.stages, self.sent) = (code, stages, sent)
    }

    func check(_ error: SwiftyError) throws {
        try expect(error.code == code, "the code of the error is \(error.code), and should be \(code): \(error)")
        let words = stages.map(\.rawValue).sorted().joined(separator: " or ")
        try expect(
            stages.isEmpty || stages.contains(error.stage),
            "the stage of the error is \(error.stage), and should be \(words): \(error)"
        )
        guard let sent else { return }
        try expect(error.sent == sent, "the request counts as \(error.sent), and should count as \(sent): \(error)")
    }
}
