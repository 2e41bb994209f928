// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The messages of one request.
enum RPCContent: Sendable {
    case message(RPCMessage)
    case batch([RPCMessage])
}

/// Messages in an envelope.
struct Enveloped: Encodable {
    let content: RPCContent
    let envelope: any RPCEnvelope

    func encode(to encoder: any Encoder) throws {
        switch content {
        case .message(let message): try envelope.encode(message, to: encoder)
        case .batch(let messages):
            var elements = encoder.unkeyedContainer()
            for message in messages {
                try elements.encode(Enveloped(content: .message(message), envelope: envelope))
            }
        }
    }
}

/// The envelope of the replies that are being decoded: decoders are called with a type alone.
enum RPCDecoding {
    @TaskLocal static var envelope: any RPCEnvelope = JSONRPCEnvelope()
}

/// A reply in the current envelope.
struct DecodedReply<Value: Decodable>: Decodable {
    let reply: RPCReply<Value>

    init(from decoder: any Decoder) throws {
        reply = try RPCDecoding.envelope.decode(Value.self, from: decoder)
    }
}

extension NetworkResponse {
    /// Decodes replies in an envelope.
    func reply<Reply: Decodable>(
        _ type: Reply.Type,
        in envelope: any RPCEnvelope,
        format: JSONFormat
    ) throws(SwiftyError) -> Reply {
        let result = RPCDecoding.$envelope.withValue(envelope) {
            Result { () throws(SwiftyError) in try decode(type, in: format, as: "a reply") }
        }
        return try result.get()
    }

    func otherReply(_ id: Int) -> SwiftyError {
        let reason = "the reply is to the call \(id), which is not this one"
        return completing(SwiftyError(.decodingFailed, stage: .decoding, sent: .responded, reason: reason))
    }
}

extension SwiftyError {
    /// The failure of a call that the server answered with an error.
    static func callFailed(_ method: String, _ error: RPCError) -> SwiftyError {
        let reason = "the call of \(method) failed: \(Redactor().text(String(error.description.prefix(500))))"
        return SwiftyError(.callFailed, stage: .decoding, sent: .responded, reason: reason, underlying: error)
    }

    /// The failure of a load, as the error in its content explains it: many servers send one with a failed status.
    func explained(by envelope: any RPCEnvelope, _ method: String) -> SwiftyError {
        guard code == .unacceptableStatus, let content,
            let decoded = try? NetworkResponse(head: head, data: content)
                .reply(DecodedReply<NoResult>.self, in: envelope, format: .json),
            case .failure(let error) = decoded.reply.outcome
        else { return self }
        return SwiftyError.callFailed(method, error).completed(by: self)
    }
}
