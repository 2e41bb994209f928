// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A query or a mutation of a ``GraphQLService``, whose data is a value.
///
/// It has the modifiers of every ``ModifiableResource``, and is sent as JSON with POST.
public final class GraphQLOperation<Value: Decodable & Sendable>: ModifiableResource {
    private let document: GraphQLDocument
    private let place: ContentPlace
    private let resource: NetworkResourceWithBody
    private let isPersisted: Bool

    init(
        _ document: GraphQLDocument,
        _ resource: NetworkResourceWithBody,
        at place: ContentPlace,
        isPersisted: Bool = false
    ) {
        (self.document, self.place, self.isPersisted) = (document, place, isPersisted)
        self.resource = resource
        resource.content(document.content(.text), format: resource.draft.coding.json)
    }

    /// Makes an independent operation with the same description of its request.
    public func copy() -> Self {
        Self(document, resource.copy(), at: place, isPersisted: isPersisted)
    }

    /// The description of the request at this moment.
    public var draft: RequestDraft { resource.draft }

    /// Changes the description of the request; see ``ModifiableResource``.
    @discardableResult
    public func modify(_ change: (inout RequestDraft) -> Void) -> Self {
        resource.modify(change)
        return self
    }

    /// Makes an operation that sends the digest of its text in place of the text, which the server knows from an
    /// earlier request: an automatic persisted query of Apollo's.
    ///
    /// A query is sent with GET, so that caches can answer it, and a mutation with POST. If the server does not know
    /// the text, the operation is sent again, with POST, the text and its digest.
    ///
    /// With GET, the variables are a part of the URL, which servers and proxies log: use it for no query with secrets.
    public func persisted() -> GraphQLOperation {
        GraphQLOperation(document, resource.copy(), at: place, isPersisted: true)
    }

    /// The operation as a request with its whole text, for `map`, closures and chains of loads.
    public var request: TypedResource<Value> {
        request(.text).map { try $0.completeValue }
    }
}

extension GraphQLOperation {
    /// Runs the operation and returns its data.
    ///
    /// - Throws: ``SwiftyError`` as every load, ``SwiftyError/Code/callFailed`` if the response has errors, and
    ///   ``SwiftyError/Code/decodingFailed`` or ``SwiftyError/Code/emptyResponse`` if it lacks the value.
    @discardableResult
    public func load() async throws(SwiftyError) -> Value {
        let response = try await run()
        do throws(SwiftyError) {
            return try response.value.completeValue
        } catch {
            throw error.completed(by: response.head, response.data, summary: draft.summary, metrics: response.metrics)
        }
    }

    /// Runs the operation and returns its data, as far as there is any, together with the errors.
    ///
    /// - Throws: ``SwiftyError`` as every load; errors in the response are in the returned value.
    public func response() async throws(SwiftyError) -> GraphQLResponse<Value> {
        let response = try await run()
        let content = response.value
        return GraphQLResponse(
            value: try content.partialValue,
            errors: content.errors,
            extensions: content.extensions,
            head: response.head,
            metrics: response.metrics
        )
    }

    private func run() async throws(SwiftyError) -> TypedResponse<GraphQLContent<Value>> {
        guard isPersisted else { return try await request(.text).response() }
        do throws(SwiftyError) {
            let response = try await request(.digest).response()
            if !response.value.errors.contains(where: \.isForUnknownDigest) { return response }
        } catch {
            if !error.graphQLErrors.contains(where: \.isForUnknownDigest) { throw error }
        }
        return try await request(.textAndDigest).response()
    }

    private func request(_ form: GraphQLDocument.Form) -> TypedResource<GraphQLContent<Value>> {
        let request = resource.copy()
        if form == .digest, document.isQuery {
            setGet(request)
        } else if form != .text {
            request.content(document.content(form), format: request.draft.coding.json)
        }
        let (place, format) = (place, request.draft.coding.json)
        let reader = ResponseReader<GraphQLContent<Value>>(explain: \.withGraphQLErrors) {
            response throws(SwiftyError) in try response.graphQL(Value.self, at: place, format)
        }
        return TypedResource(request, reader).acceptingGraphQL()
    }

    private func setGet(_ request: NetworkResourceWithBody) {
        do {
            let parameters = try document.parameters(request.draft.coding.json)
            request.modify { draft in
                draft.method = .get
                draft.content = nil
            }
            request.query(parameters)
        } catch {
            request.modify { $0.fail(.encodingFailed, "the variables cannot be encoded: \(error)", underlying: error) }
        }
    }
}

extension GraphQLOperation: CustomStringConvertible {
    /// One line without secrets: the request and the type of the value.
    public var description: String { "\(draft.description) as \(Value.self)" }
}

/// The data of an operation, as far as there is any, with the errors of the response.
public struct GraphQLResponse<Value: Sendable>: Sendable {
    /// The value; `nil` if the data or the place in it is absent or null, or lacks what the errors are about.
    public let value: Value?
    /// The errors; empty if the operation succeeded.
    public let errors: [GraphQLError]
    /// More about the response, in a form of the API's own.
    public let extensions: JSONFragment?
    /// The status and the header fields; `nil` only if an interceptor made a success without them.
    public let head: ResponseHead?
    /// The measurements of the load.
    public let metrics: LoadMetrics
}
