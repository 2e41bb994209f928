// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// An error in the response to a GraphQL operation (GraphQL specification §7.1.2).
public struct GraphQLError: Decodable, Sendable, Hashable, CustomStringConvertible {
    /// A place in the text of the operation; lines and columns begin with 1.
    public struct Location: Decodable, Sendable, Hashable {
        /// The line.
        public var line: Int
        /// The column.
        public var column: Int
    }

    /// What went wrong, for developers.
    public var message: String
    /// The places in the operation that the error is about.
    public var locations: [Location]
    /// The place in the data whose value is missing because of the error: `hero.friends[1].name`; `nil` if the error is
    /// about the whole operation.
    public var path: ContentPlace?
    /// More about the error, in a form of the API's own, such as its code; `nil` without any.
    public var extensions: JSONFragment?

    private enum Key: CodingKey { case message, locations, path, extensions }

    private enum PathElement: Decodable {
        case name(String)
        case index(Int)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let index = try? container.decode(Int.self) {
                self = .index(index)
            } else {
                self = .name(try container.decode(String.self))
            }
        }
    }

    /// Decodes an error, of which only the message is required.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        message = try members.decode(String.self, forKey: .message)
        locations = try members.decodeIfPresent([Location].self, forKey: .locations) ?? []
        path = try members.decodeIfPresent([PathElement].self, forKey: .path).map { Self.place($0) }
        extensions = try members.decodeIfPresent(JSONFragment.self, forKey: .extensions)
    }

    private static func place(_ path: [PathElement]) -> ContentPlace {
        ContentPlace(
            path.reduce("") { text, element in
                switch element {
                case .index(let index): "\(text)[\(index)]"
                case .name(let name): text.isEmpty ? name : "\(text).\(name)"
                }
            }
        )
    }

    /// The message, and the path if there is one.
    public var description: String { path.map { "\(message) (at \($0))" } ?? message }
}

/// The errors in the response to a GraphQL operation, as the `underlying` error of a ``SwiftyError`` with the code
/// ``SwiftyError/Code/callFailed``.
public struct GraphQLErrors: Error, Sendable, Hashable, CustomStringConvertible {
    /// The errors, in the order of the response.
    public let all: [GraphQLError]

    /// The descriptions of the errors.
    public var description: String { all.map(\.description).joined(separator: "; ") }
}

extension SwiftyError {
    /// The errors in the response to a GraphQL operation; empty for any other failure.
    public var graphQLErrors: [GraphQLError] { (underlying as? GraphQLErrors)?.all ?? [] }
}
