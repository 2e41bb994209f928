// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A web API of remote procedure calls: JSON-RPC 2.0, unless it has another ``envelope``.
///
///     final class Wallet: RPCService {
///         static let serverURL = "https://wallet.example.com/rpc"
///         static let networkInterface: any NetworkInterface = Swifty.shared
///
///         static func balance(of id: Int) -> RPCCall<Balance> { call("balance", ["id": id]) }
///         static func close(_ id: Int) -> RPCCall<NoResult> { call("close", [id]) }
///     }
///
///     let balance = try await Wallet.balance(of: 1).load()
///     let (a, b) = try await Wallet.batch(Wallet.balance(of: 1), Wallet.balance(of: 2))
///
/// A call is a POST request to the server URL and ``callPath``, with the modifiers, hooks and mocks of every request.
/// An error that the server answers fails the load with ``SwiftyError/Code/callFailed``; ``SwiftyError/rpcError`` has
/// its code, message and data.
public protocol RPCService: WebService {
    /// The path of the endpoint, below the server URL; empty by default.
    static var callPath: RequestPath { get }

    /// The form of the messages; ``JSONRPCEnvelope`` by default.
    static var envelope: any RPCEnvelope { get }
}

extension RPCService {
    /// The default: the server URL itself.
    public static var callPath: RequestPath { "" }

    /// The default: JSON-RPC 2.0.
    public static var envelope: any RPCEnvelope { JSONRPCEnvelope() }

    /// A call without parameters.
    public static func call<Value: Decodable & Sendable>(
        _ method: String,
        function: StaticString = #function
    ) -> RPCCall<Value> {
        RPCCall(method, nil, by: server.post(callPath, function: function), in: envelope)
    }

    /// A call whose parameters are the properties of a value, or the elements of a collection.
    @_disfavoredOverload
    public static func call<Value: Decodable & Sendable>(
        _ method: String,
        _ parameters: some Encodable & Sendable,
        function: StaticString = #function
    ) -> RPCCall<Value> {
        RPCCall(method, parameters, by: server.post(callPath, function: function), in: envelope)
    }

    /// A call with named parameters.
    public static func call<Value: Decodable & Sendable>(
        _ method: String,
        _ parameters: [String: any Encodable & Sendable],
        function: StaticString = #function
    ) -> RPCCall<Value> {
        let named = parameters.mapValues(AnyEncodable.init)
        return RPCCall(method, named, by: server.post(callPath, function: function), in: envelope)
    }

    /// A call with parameters by position.
    public static func call<Value: Decodable & Sendable>(
        _ method: String,
        _ parameters: [any Encodable & Sendable],
        function: StaticString = #function
    ) -> RPCCall<Value> {
        let positional = parameters.map(AnyEncodable.init)
        return RPCCall(method, positional, by: server.post(callPath, function: function), in: envelope)
    }
}
