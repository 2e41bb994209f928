// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The form of the messages of remote procedure calls: what is around the method, the parameters and the result.
///
/// ``JSONRPCEnvelope`` is that of JSON-RPC 2.0. An API with another form has another envelope:
///
///     struct Boxed: RPCEnvelope {
///         func encode(_ call: RPCMessage, to encoder: any Encoder) throws {
///             var members = encoder.container(keyedBy: Key.self)
///             try members.encode("1.0", forKey: .ver)
///             try members.encode(call.method, forKey: .fn)
///             try call.encodeParameters(in: &members, forKey: .args)
///             try members.encodeIfPresent(call.id, forKey: .no)
///         }
///         func decode<Value: Decodable>(_ type: Value.Type, from decoder: any Decoder) throws -> RPCReply<Value> {
///             let members = try decoder.container(keyedBy: Key.self)
///             let id = try members.decode(Int.self, forKey: .no)
///             return RPCReply(id: id, .success(try members.decode(type, forKey: .ok)))
///         }
///         enum Key: CodingKey { case ver, fn, args, no, ok }
///     }
public protocol RPCEnvelope: Sendable {
    /// Encodes a call or a notification.
    func encode(_ call: RPCMessage, to encoder: any Encoder) throws

    /// Decodes the reply to a call.
    ///
    /// - Throws: `DecodingError` for a message that is no reply, or a result of another type.
    func decode<Value: Decodable>(_ type: Value.Type, from decoder: any Decoder) throws -> RPCReply<Value>
}

/// A remote procedure call, or a notification, which has no reply.
public struct RPCMessage: Sendable {
    /// The name of the procedure.
    public let method: String
    /// The parameters; `nil` without any.
    public let parameters: (any Encodable & Sendable)?
    /// The number of the call, which its reply repeats; `nil` for a notification.
    public let id: Int?

    /// Encodes the parameters as a member, unless there are none.
    public func encodeParameters<Key>(in members: inout KeyedEncodingContainer<Key>, forKey key: Key) throws {
        if let parameters { try members.encode(parameters, forKey: key) }
    }
}

/// The reply to a remote procedure call.
public struct RPCReply<Value> {
    /// The number of the call; `nil` if the server could not read it.
    public let id: Int?
    /// The result, or the error of the call.
    public let outcome: Result<Value, RPCError>

    /// Makes a reply.
    public init(id: Int?, _ outcome: Result<Value, RPCError>) {
        self.id = id
        self.outcome = outcome
    }
}

/// The messages of JSON-RPC 2.0 (jsonrpc.org/specification).
public struct JSONRPCEnvelope: RPCEnvelope {
    private enum Key: String, CodingKey { case jsonrpc, method, params, id, result, error }

    private static let version = "2.0"

    /// Makes the envelope.
    public init() {}

    /// Encodes a request object (JSON-RPC 2.0 §4).
    public func encode(_ call: RPCMessage, to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(Self.version, forKey: .jsonrpc)
        try members.encode(call.method, forKey: .method)
        try call.encodeParameters(in: &members, forKey: .params)
        try members.encodeIfPresent(call.id, forKey: .id)
    }

    /// Decodes a response object (JSON-RPC 2.0 §5): of version 2.0, with a result or an error, and not both.
    public func decode<Value: Decodable>(_ type: Value.Type, from decoder: any Decoder) throws -> RPCReply<Value> {
        let members = try decoder.container(keyedBy: Key.self)
        let version = try members.decode(String.self, forKey: .jsonrpc)
        guard version == Self.version else { throw Self.fault("another version than 2.0", of: .jsonrpc, in: members) }
        let id = try members.decodeIfPresent(Int.self, forKey: .id)
        if members.contains(.error), try !members.decodeNil(forKey: .error) {
            if members.contains(.result), try !members.decodeNil(forKey: .result) {
                throw Self.fault("both a result and an error", of: .error, in: members)
            }
            return RPCReply(id: id, .failure(try members.decode(RPCError.self, forKey: .error)))
        }
        return RPCReply(id: id, .success(try members.decode(type, forKey: .result)))
    }

    private static func fault(
        _ reason: String,
        of key: Key,
        in members: KeyedDecodingContainer<Key>
    ) -> DecodingError {
        .dataCorruptedError(forKey: key, in: members, debugDescription: reason)
    }
}
