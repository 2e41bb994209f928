// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The content of a response to a GraphQL operation (GraphQL specification §7).
struct GraphQLContent<Value: Decodable & Sendable>: Decodable, Sendable {
    /// The data, or the reason why it is no such value: `nil` if there is none.
    private let data: Result<Value?, any Error>
    let errors: [GraphQLError]
    let extensions: JSONFragment?

    private enum Key: CodingKey { case data, errors, extensions }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        if !members.contains(.data), !members.contains(.errors) {
            let context = DecodingError.Context(codingPath: [], debugDescription: "neither data nor errors")
            throw DecodingError.keyNotFound(Key.data, context)
        }
        errors = try members.decodeIfPresent([GraphQLError].self, forKey: .errors) ?? []
        extensions = try members.decodeIfPresent(JSONFragment.self, forKey: .extensions)
        data = Result { try GraphQLDecoding.place.decodeIfPresent(Value.self, in: members, forKey: .data) }
        // Data that lacks what the errors are about may be no such value.
        if case .failure(let error) = data, errors.isEmpty { throw error }
    }

    /// The data of a response without errors.
    var completeValue: Value {
        get throws(SwiftyError) {
            if !errors.isEmpty { throw .callFailed(errors) }
            if let value = try partialValue { return value }
            if let none = (Value.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Value {
                return none
            }
            throw SwiftyError(.emptyResponse, stage: .decoding, sent: .responded, reason: "the response has no data")
        }
    }

    /// The data, whether there are errors or not.
    var partialValue: Value? {
        get throws(SwiftyError) { (try? data.get()) ?? nil }
    }
}

/// The place of the data that is being decoded: decoders are called with a type alone.
enum GraphQLDecoding {
    @TaskLocal static var place: ContentPlace = ""
}

extension NetworkResponse {
    func graphQL<Value>(
        _ type: Value.Type,
        at place: ContentPlace,
        _ format: JSONFormat
    ) throws(SwiftyError) -> GraphQLContent<Value> {
        let result = GraphQLDecoding.$place.withValue(place) {
            Result { () throws(SwiftyError) in
                try decode(GraphQLContent<Value>.self, in: format, as: "a response with \(Value.self)")
            }
        }
        return try result.get()
    }
}

extension GraphQLError {
    /// Whether the server does not know the text of a persisted query.
    var isForUnknownDigest: Bool {
        let code = extensions.flatMap { try? $0.decoded([String: JSONFragment].self)["code"]?.decoded(String.self) }
        return code == "PERSISTED_QUERY_NOT_FOUND" || message == "PersistedQueryNotFound"
    }
}

extension SwiftyError {
    static func callFailed(_ errors: [GraphQLError]) -> SwiftyError {
        let errors = GraphQLErrors(all: errors)
        let reason = "the operation failed: \(Redactor().text(String(errors.description.prefix(500))))"
        return SwiftyError(.callFailed, stage: .decoding, sent: .responded, reason: reason, underlying: errors)
    }

    /// The failure of a load, as the errors in its content explain it: many servers send them with a failed status.
    var withGraphQLErrors: SwiftyError {
        guard code == .unacceptableStatus, let content,
            let result = try? NetworkResponse(head: head, data: content).graphQL(NoResult.self, at: "", .json),
            !result.errors.isEmpty
        else { return self }
        return SwiftyError.callFailed(result.errors).completed(by: self)
    }

    /// The error with the parts of another one that it replaces.
    func completed(by other: SwiftyError) -> SwiftyError {
        var error = self
        (error.head, error.content, error.request) = (other.head, other.content, other.request)
        (error.transfer, error.metrics) = (other.transfer, other.metrics)
        return error
    }
}

extension TypedResource {
    /// Asks for the media types of GraphQL over HTTP, unless the request asks for others.
    func acceptingGraphQL() -> Self {
        modify { $0.accept("application/graphql-response+json, application/json;q=0.9") }
    }
}
