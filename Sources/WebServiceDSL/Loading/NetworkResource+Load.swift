// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NetworkResource {
    /// Loads the request and returns its response.
    ///
    /// Cancelling the calling task ends the load.
    ///
    /// - Parameter function: where it is called, in all forms of load: not to be given. See ``RequestDraft/caller``.
    /// - Throws: ``SwiftyError``: for a mistake in the request, a failed constraint, a failed transfer, an unaccepted status
    ///   (with head and body), a failing interceptor, cancellation.
    public func load(function: StaticString = #function) async throws(SwiftyError) -> NetworkResponse {
        try await outcome(function).success()
    }

    /// Loads the request for code that does not know what it loads; see ``LoadStep``.
    @_disfavoredOverload
    public func load() async throws(SwiftyError) -> NetworkResponse {
        try await outcome(nil).success()
    }

    /// Loads the request and decodes the response's content.
    ///
    /// An optional type takes an empty response as `nil`.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder; that of the ``WebService`` if `nil`.
    /// - Throws: ``SwiftyError``; with code ``SwiftyError/Code/decodingFailed`` or ``SwiftyError/Code/emptyResponse`` if the
    ///   content is not such a value.
    public func load<Value: Decodable & Sendable>(
        _ type: Value.Type,
        decoder: JSONDecoder? = nil,
        function: StaticString = #function
    ) async throws(SwiftyError) -> Value {
        try await outcome(function).success().decode(type, decoder: decoder ?? draft.coding.decoder)
    }

    /// Makes a request whose response is a value; see ``TypedResource``.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder; that of the ``WebService`` if `nil`.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type,
        decoder: JSONDecoder? = nil
    ) -> TypedResource<Value> {
        TypedResource(self, decoder: decoder ?? draft.coding.decoder)
    }

    /// Loads the request and returns its outcome, failed or not; on its caller's executor, since nothing here runs for long.
    nonisolated(nonsending) func outcome(_ function: StaticString?) async -> NetworkResponse {
        let draft = draft(loadedIn: function)
        let cancellation = LoadCancellation()
        return await withTaskCancellationHandler {
            await networkInterface.load(draft, cancellation: cancellation)
        } onCancel: {
            cancellation.cancel()
        }
    }
}

extension NetworkResource {
    /// The draft as it is now, which is what is loaded.
    func draft(loadedIn function: StaticString?) -> RequestDraft {
        var draft = self.draft
        draft.caller = function
        return draft
    }
}

extension TypedResource {
    /// Loads the request and returns the decoded value.
    ///
    /// - Throws: ``SwiftyError``; see ``NetworkResource/load(_:decoder:function:)``.
    public func load(function: StaticString = #function) async throws(SwiftyError) -> Value {
        try await resource.outcome(function).success().decode(Value.self, decoder: decoder)
    }

    /// Loads the request for code that does not know what it loads; see ``LoadStep``.
    @_disfavoredOverload
    public func load() async throws(SwiftyError) -> Value {
        try await resource.outcome(nil).success().decode(Value.self, decoder: decoder)
    }

    /// Loads the request and returns the decoded value together with status, header fields, content and metrics.
    ///
    /// - Throws: ``SwiftyError``; see ``NetworkResource/load(_:decoder:function:)``.
    public func response(function: StaticString = #function) async throws(SwiftyError) -> TypedResponse<Value> {
        let response = try await resource.outcome(function).success()
        return TypedResponse(
            value: try response.decode(Value.self, decoder: decoder),
            head: response.head,
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
