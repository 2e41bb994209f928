// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A type of yours that stands for a request, with the parameters as its properties.
///
///     struct Favourite: RequestConvertible {
///         let id: Int
///
///         func request() -> TypedResource<Post> {
///             Social.server.post("favourites/\(id)").decode(Post.self)
///         }
///     }
///
///     let post = try await Favourite(id: 7).load()
///
/// It becomes a request each time that it is loaded, with the defaults of the service in which it starts. Two
/// values can be compared, stored and sent between actors like any others.
public protocol RequestConvertible<Request>: Sendable {
    /// The kind of request: a `NetworkResource`, or a `TypedResource` with the type of the value.
    associatedtype Request: ModifiableResource

    /// Makes the request. It may wait, as for a value that the request needs, and may return another request than its
    /// name says.
    ///
    /// - Throws: The reason to load nothing: a ``SwiftyError`` is the error of the load, any other the underlying error
    ///   of ``SwiftyError/Code/requestRefused``, or ``SwiftyError/Code/cancelled`` for a `CancellationError`.
    func request() async throws -> Request
}

extension RequestConvertible {
    /// Makes the request, with a typed error.
    nonisolated(nonsending) func makeRequest() async throws(SwiftyError) -> Request {
        do {
            return try await request()
        } catch {
            if let error = SwiftyError(thrown: error, stage: .building) { throw error }
            throw SwiftyError(
                .requestRefused,
                stage: .building,
                reason: "\(Self.self) threw \(error)",
                underlying: error
            )
        }
    }
}

extension RequestConvertible where Request: NetworkResource {
    /// Makes the request and loads it; see ``NetworkResource/load()``.
    ///
    /// - Throws: ``SwiftyError``, and also the reason for which no request can be made.
    @discardableResult
    public func load() async throws(SwiftyError) -> NetworkResponse {
        try await makeRequest().load()
    }
}

extension RequestConvertible {
    /// Makes the request and loads its value; see ``TypedResource/load()``.
    ///
    /// - Throws: ``SwiftyError``, and also the reason for which no request can be made.
    public func load<Value>() async throws(SwiftyError) -> Value where Request == TypedResource<Value> {
        try await makeRequest().load()
    }

    /// Makes the request and loads its value together with head, content and metrics; see
    /// ``TypedResource/response()``.
    ///
    /// - Throws: ``SwiftyError``, and also the reason for which no request can be made.
    public func response<Value>() async throws(SwiftyError) -> TypedResponse<Value>
    where Request == TypedResource<Value> {
        try await makeRequest().response()
    }
}
