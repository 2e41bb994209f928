// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension RPCService {
    /// Makes several calls in one request, and returns their results.
    ///
    ///     let (balance, limits) = try await Wallet.batch(Wallet.balance(of: 1), Wallet.limits())
    ///
    /// The request has the defaults of the service; modifiers of the calls do not apply. The server may run the calls
    /// in any order, and its replies may have any order.
    ///
    /// - Throws: ``SwiftyError`` of the request, or of the first call that failed.
    public static func batch<each Value: Decodable & Sendable>(
        _ calls: repeat RPCCall<each Value>,
        function: StaticString = #function
    ) async throws(SwiftyError) -> (repeat each Value) {
        let results = try await batchResults(repeat each calls, function: function)
        return try (repeat (each results).get())
    }

    /// Makes several calls in one request, and returns the result or the error of each.
    ///
    /// - Throws: ``SwiftyError`` of the request; see ``batch(_:function:)``.
    public static func batchResults<each Value: Decodable & Sendable>(
        _ calls: repeat RPCCall<each Value>,
        function: StaticString = #function
    ) async throws(SwiftyError) -> (repeat Result<each Value, SwiftyError>) {
        var batch = RPCBatch(envelope)
        let slots = (repeat batch.add(each calls))
        try await batch.load(server.post(callPath, function: function))
        return (repeat (each slots).result)
    }

    /// Makes several calls of one kind in one request, and returns the result or the error of each, in their order.
    ///
    /// - Throws: ``SwiftyError`` of the request; see ``batch(_:function:)``.
    public static func batchResults<Value: Decodable & Sendable>(
        _ calls: [RPCCall<Value>],
        function: StaticString = #function
    ) async throws(SwiftyError) -> [Result<Value, SwiftyError>] {
        if calls.isEmpty { return [] }
        var batch = RPCBatch(envelope)
        let slots = calls.map { batch.add($0) }
        try await batch.load(server.post(callPath, function: function))
        return slots.map(\.result)
    }
}
