// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NetworkResource {
    /// Loads the request and returns its response.
    ///
    /// Cancelling the calling task ends the load.
    ///
    /// - Throws: ``SwiftyError``: for a mistake in the request, a failed constraint, a failed transfer, an unaccepted status
    ///   (with head and body), a failing interceptor, cancellation.
    public func load() async throws(SwiftyError) -> NetworkResponse {
        try await outcome().success()
    }

    /// Loads the request and decodes the response's content.
    ///
    /// An optional type takes an empty response as `nil`.
    ///
    /// - Throws: ``SwiftyError``; with code ``SwiftyError/Code/decodingFailed`` or ``SwiftyError/Code/emptyResponse`` if the
    ///   content is not such a value.
    public func load<Value: Decodable & Sendable>(
        _ type: Value.Type,
        decoder: JSONDecoder = JSONDecoder()
    ) async throws(SwiftyError) -> Value {
        try await outcome().success().decode(type, decoder: decoder)
    }

    /// Makes a request whose response is a value; see ``TypedResource``.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type,
        decoder: JSONDecoder = JSONDecoder()
    ) -> TypedResource<Value> {
        TypedResource(self, decoder: decoder)
    }

    /// Loads the request and returns its outcome, failed or not; on its caller's executor, since nothing here runs for long.
    nonisolated(nonsending) func outcome() async -> NetworkResponse {
        let draft = self.draft
        let cancellation = LoadCancellation()
        return await withTaskCancellationHandler {
            await networkInterface.load(draft, cancellation: cancellation)
        } onCancel: {
            cancellation.cancel()
        }
    }
}

extension TypedResource {
    /// Loads the request and returns the decoded value.
    ///
    /// - Throws: ``SwiftyError``; see ``NetworkResource/load(_:decoder:)``.
    public func load() async throws(SwiftyError) -> Value {
        try await resource.outcome().success().decode(Value.self, decoder: decoder)
    }

    /// Loads the request and returns the decoded value together with status, header fields, content and metrics.
    ///
    /// - Throws: ``SwiftyError``; see ``NetworkResource/load(_:decoder:)``.
    public func response() async throws(SwiftyError) -> TypedResponse<Value> {
        let response = try await resource.outcome().success()
        return TypedResponse(
            value: try response.decode(Value.self, decoder: decoder),
            head: response.response,
            data: response.data ?? Data(),
            metrics: response.metrics
        )
    }
}

extension NetworkResponse {
    /// The outcome, if it is no failure.
    fileprivate func success() throws(SwiftyError) -> NetworkResponse {
        if let error { throw error }
        return self
    }
}
