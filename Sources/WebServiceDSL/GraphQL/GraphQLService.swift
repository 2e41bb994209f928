// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A GraphQL API (GraphQL over HTTP).
///
///     final class StarWars: GraphQLService {
///         static let serverURL = "https://swapi.example.com"
///         static let networkInterface: any NetworkInterface = Swifty.shared
///
///         static func hero(of episode: Int) -> GraphQLOperation<Hero> {
///             operation("query($n: Int!) { hero(episode: $n) { name } }", ["n": episode], at: "hero")
///         }
///     }
///
///     let hero = try await StarWars.hero(of: 4).load()
///
/// An operation is a request with the modifiers, hooks and mocks of every request. Errors in a response fail the load
/// with ``SwiftyError/Code/callFailed``; ``GraphQLOperation/response()`` returns them with the partial data.
public protocol GraphQLService: WebService {
    /// The path of the endpoint, below the server URL; `graphql` by default.
    static var operationPath: RequestPath { get }
}

extension GraphQLService {
    /// The default: `graphql`.
    public static var operationPath: RequestPath { "graphql" }

    /// An operation without variables.
    ///
    /// - Parameters:
    ///   - document: The text of the operation: a query or a mutation.
    ///   - place: The place of the value in the data; `nil` for all data.
    public static func operation<Value: Decodable & Sendable>(
        _ document: String,
        at place: ContentPlace? = nil,
        function: StaticString = #function
    ) -> GraphQLOperation<Value> {
        make(GraphQLDocument(document), at: place, function)
    }

    /// An operation whose variables are the properties of a value.
    ///
    /// - Parameters:
    ///   - document: The text of the operation: a query or a mutation.
    ///   - variables: The variables.
    ///   - place: The place of the value in the data; `nil` for all data.
    @_disfavoredOverload
    public static func operation<Value: Decodable & Sendable>(
        _ document: String,
        _ variables: some Encodable & Sendable,
        at place: ContentPlace? = nil,
        function: StaticString = #function
    ) -> GraphQLOperation<Value> {
        make(GraphQLDocument(document, variables), at: place, function)
    }

    /// An operation with variables.
    ///
    /// - Parameters:
    ///   - document: The text of the operation: a query or a mutation.
    ///   - variables: The variables, by name.
    ///   - place: The place of the value in the data; `nil` for all data.
    public static func operation<Value: Decodable & Sendable>(
        _ document: String,
        _ variables: [String: any Encodable & Sendable],
        at place: ContentPlace? = nil,
        function: StaticString = #function
    ) -> GraphQLOperation<Value> {
        make(GraphQLDocument(document, variables.mapValues(AnyEncodable.init)), at: place, function)
    }

    private static func make<Value>(
        _ document: GraphQLDocument,
        at place: ContentPlace?,
        _ function: StaticString
    ) -> GraphQLOperation<Value> {
        GraphQLOperation(document, server.post(operationPath, function: function), at: place ?? "")
    }
}
