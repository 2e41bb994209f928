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
    ///   - decoder: The decoder of JSON; the format of the request if `nil`.
    /// - Throws: ``SwiftyError`` as ``load()``, and with the code ``SwiftyError/Code/decodingFailed`` or
    ///   ``SwiftyError/Code/emptyResponse`` if the content is not a value of the type.
    public func load<Value: Decodable & Sendable>(
        _ type: Value.Type,
        decoder: JSONDecoder? = nil
    ) async throws(SwiftyError) -> Value {
        try await decode(type, decoder: decoder).load()
    }

    /// Loads the request and returns its outcome, failed or not. Runs on the caller's executor.
    nonisolated(nonsending) func loadOutcome(_ preparation: ResponsePreparation? = nil) async -> NetworkResponse {
        let draft = draft.inCurrentScope()
        let interface = draft.interface(insteadOf: networkInterface)
        let cancellation = LoadCancellation()
        return await withTaskCancellationHandler {
            if let preparation {
                return await interface.load(draft, preparation: preparation, cancellation: cancellation)
            }
            return await interface.load(draft, cancellation: cancellation)
        } onCancel: {
            cancellation.cancel()
        }
    }
}

extension TypedResource {
    /// Loads the request and returns the value.
    ///
    /// - Throws: ``SwiftyError``; see ``NetworkResource/load(_:decoder:)``, and ``SwiftyError/Code/transformFailed`` if
    ///   a closure of `map` threw.
    public func load() async throws(SwiftyError) -> Value {
        try await reader.value(of: resource.loadOutcome(reader.preparation))
    }

    /// Loads the request and returns the value together with head, content and metrics.
    ///
    /// - Throws: ``SwiftyError``; see ``load()``.
    public func response() async throws(SwiftyError) -> TypedResponse<Value> {
        let response = await resource.loadOutcome(reader.preparation)
        let start = ContinuousClock.now
        let value = try reader.value(of: response)
        return TypedResponse(
            value: value,
            head: response.head,
            data: response.data ?? Data(),
            metrics: response.metrics,
            decodingTime: ContinuousClock.now - start
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
