// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// An operation and its variables.
struct GraphQLDocument: Sendable {
    /// What a request has of an operation.
    enum Form: Sendable {
        /// The text
        case text
        /// The digest of the text, by which the server knows it (Apollo's automatic persisted queries)
        case digest
        /// The text and its digest, from which the server learns it
        case textAndDigest
    }

    let text: String
    let variables: (any Encodable & Sendable)?

    init(_ text: String, _ variables: (any Encodable & Sendable)? = nil) {
        self.text = text
        self.variables = variables
    }

    func content(_ form: Form) -> some Encodable { Content(document: self, form: form) }

    /// The parameters of a GET request (GraphQL over HTTP §6.2), as JSON text, without the text of the operation.
    func parameters(_ format: JSONFormat) throws -> [(String, String?)] {
        func text(_ value: some Encodable) throws -> String {
            String(decoding: try format.encode(value), as: UTF8.self)
        }
        let variables = try variables.map { [("variables", try text($0) as String?)] } ?? []
        return variables + [("extensions", try text(persisted))]
    }

    /// Whether the operation only reads: the text has no mutation and no subscription.
    var isQuery: Bool {
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        return !words.contains("mutation") && !words.contains("subscription")
    }

    /// The value of the parameter `extensions`.
    fileprivate var persisted: Extensions {
        Extensions(persistedQuery: .init(version: 1, sha256Hash: SHA256.hash(Array(text.utf8)).hexadecimal))
    }

    fileprivate struct Extensions: Encodable {
        struct PersistedQuery: Encodable {
            let version: Int
            let sha256Hash: String
        }

        let persistedQuery: PersistedQuery
    }

    private struct Content: Encodable {
        let document: GraphQLDocument
        let form: Form

        private enum Key: CodingKey { case query, variables, extensions }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Key.self)
            if form != .digest { try members.encode(document.text, forKey: .query) }
            if let variables = document.variables { try members.encode(variables, forKey: .variables) }
            if form != .text { try members.encode(document.persisted, forKey: .extensions) }
        }
    }
}
