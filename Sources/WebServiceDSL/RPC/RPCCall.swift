// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A remote procedure call of an ``RPCService``, whose result is a value.
///
/// It has the modifiers of every ``ModifiableResource``. A server may have run a procedure although its reply is lost,
/// so a call is repeated only after ``ModifiableResource/idempotencyKey()``.
public final class RPCCall<Value: Decodable & Sendable>: ModifiableResource {
    let method: String
    let parameters: (any Encodable & Sendable)?
    let envelope: any RPCEnvelope
    private let resource: NetworkResourceWithBody

    init(
        _ method: String,
        _ parameters: (any Encodable & Sendable)?,
        by resource: NetworkResourceWithBody,
        in envelope: any RPCEnvelope
    ) {
        self.method = method
        self.parameters = parameters
        self.envelope = envelope
        self.resource = resource
        send(RPCContent.message(message(1)), by: resource)
    }

    private init(copying call: RPCCall) {
        (method, parameters, envelope) = (call.method, call.parameters, call.envelope)
        resource = call.resource.copy()
    }

    /// Makes an independent call of the same procedure, with the same description of its request.
    public func copy() -> Self { Self(copying: self) }

    /// The description of the request at this moment.
    public var draft: RequestDraft { resource.draft }

    /// Changes the description of the request; see ``ModifiableResource``.
    @discardableResult
    public func modify(_ change: (inout RequestDraft) -> Void) -> Self {
        resource.modify(change)
        return self
    }

    func message(_ id: Int?) -> RPCMessage {
        RPCMessage(method: method, parameters: parameters, id: id)
    }

    private func send(_ content: RPCContent, by resource: NetworkResourceWithBody) {
        resource.content(Enveloped(content: content, envelope: envelope), format: resource.draft.coding.json)
    }
}

extension RPCCall {
    /// Calls the procedure and returns its result.
    ///
    /// - Throws: ``SwiftyError`` as every load, ``SwiftyError/Code/callFailed`` for an error of the server's, and
    ///   ``SwiftyError/Code/decodingFailed`` for a reply to another call, or one that is none.
    @discardableResult
    public func load() async throws(SwiftyError) -> Value { try await request.load() }

    /// Calls the procedure and returns its result together with head, content and metrics.
    ///
    /// - Throws: ``SwiftyError``; see ``load()``.
    public func response() async throws(SwiftyError) -> TypedResponse<Value> { try await request.response() }

    /// Sends the call as a notification, to which the server sends no reply: it may have failed unnoticed.
    ///
    /// - Throws: ``SwiftyError`` if the server does not accept the message.
    public func notify() async throws(SwiftyError) {
        let notification = resource.copy()
        send(.message(message(nil)), by: notification)
        try await notification.load()
    }

    /// The call as a request, for `map`, closures and chains of loads.
    public var request: TypedResource<Value> {
        let (method, envelope, format) = (method, envelope, draft.coding.json)
        let explain: ResponseReader<Value>.Explain = { $0.explained(by: envelope, method) }
        let reader = ResponseReader<Value>(explain: explain) { response throws(SwiftyError) in
            let reply = try response.reply(DecodedReply<Value>.self, in: envelope, format: format).reply
            if let id = reply.id, id != 1 { throw response.otherReply(id) }
            do throws(RPCError) {
                return try reply.outcome.get()
            } catch {
                throw response.completing(.callFailed(method, error))
            }
        }
        return TypedResource(resource, reader).accepting(format)
    }
}

extension RPCCall: CustomStringConvertible {
    /// One line without secrets: the method, the request and the type of the result.
    public var description: String { "\(method): \(draft.description) as \(Value.self)" }
}

/// A result that does not matter: whatever the server sends, or nothing.
public struct NoResult: Decodable, Sendable, Hashable {
    /// Makes the result.
    public init() {}

    /// Decodes anything.
    public init(from decoder: any Decoder) throws {}
}
