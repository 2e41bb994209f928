// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NetworkResource {
    /// Loads the request and returns its response.
    ///
    /// Cancelling the calling task ends the load.
    ///
    /// - Throws: ``SwiftyError`` for an error in the request, a failed constraint, a failed transfer, an unaccepted
    ///   status (with head and content), a failing interceptor, or a cancellation.
    @discardableResult
    public func load() async throws(SwiftyError) -> NetworkResponse {
        try await loadOutcome().get()
    }

    /// Loads the request and decodes the response's content.
    ///
    /// If the type is optional, the value of an empty response is `nil`.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder; that of the ``WebService`` if `nil`.
    /// - Throws: ``SwiftyError`` as ``load()``, and with the code ``SwiftyError/Code/decodingFailed`` or
    ///   ``SwiftyError/Code/emptyResponse`` if the content is not a value of the type.
    public func load<Value: Decodable & Sendable>(
        _ type: Value.Type,
        decoder: JSONDecoder? = nil
    ) async throws(SwiftyError) -> Value {
        try await loadOutcome().get().decode(type, decoder: decoder ?? draft.coding.decoder)
    }

    /// Makes a request whose response is decoded as a value; see ``TypedResource``.
    ///
    ///     static func user() -> TypedResource<User> { server.get("user").decode() }
    ///
    /// - Parameters:
    ///   - type: The type of the value; where the context says it, it can be left out.
    ///   - decoder: The decoder; that of the ``WebService`` if `nil`.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        decoder: JSONDecoder? = nil
    ) -> TypedResource<Value> {
        TypedResource(self, decoder: decoder ?? draft.coding.decoder)
    }

    /// Loads the request and returns its outcome, failed or not. Runs on the caller's executor.
    nonisolated(nonsending) func loadOutcome() async -> NetworkResponse {
        let draft = draft.inCurrentScope()
        let cancellation = LoadCancellation()
        return await withTaskCancellationHandler {
            await draft.interface(insteadOf: networkInterface).load(draft, cancellation: cancellation)
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
        try await resource.loadOutcome().get().decode(Value.self, decoder: decoder)
    }

    /// Loads the request and returns the decoded value together with head, content and metrics.
    ///
    /// - Throws: ``SwiftyError``; see ``NetworkResource/load(_:decoder:)``.
    public func response() async throws(SwiftyError) -> TypedResponse<Value> {
        let response = try await resource.loadOutcome().get()
        return TypedResponse(
            value: try response.decode(Value.self, decoder: decoder),
            head: response.head,
            data: response.data ?? Data(),
            metrics: response.metrics
        )
    }
}

extension NetworkResponse {
    /// - Returns: The response of a successful load.
    /// - Throws: The error of a failed one.
    fileprivate func get() throws(SwiftyError) -> NetworkResponse {
        if let error { throw error }
        return self
    }
}
