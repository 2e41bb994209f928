// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import Swifty

/// A request that a server has received.
package struct ServedRequest: Sendable {
    package var method: String
    /// The request target, as sent.
    package var target: String
    /// The path of the target, still percent-encoded.
    package var path: String
    /// The query as decoded pairs in their order.
    package var queryItems: [(name: String, value: String)]
    /// The header fields in their order.
    package var headers: [(name: String, value: String)]
    package var content: Data

    package init(
        method: String,
        target: String,
        path: String,
        queryItems: [(name: String, value: String)],
        headers: [(name: String, value: String)],
        content: Data
    ) {
        (self.method, self.target, self.path, self.queryItems) = (method, target, path, queryItems)
        (self.headers, self.content) = (headers, content)
    }

    /// The media type of the content; `nil` if the request has none.
    var contentType: String? { headers.first { $0.name.lowercased() == "content-type" }?.value }

    /// The codings of the content; `nil` if it has none.
    var contentCodings: String? {
        let values = headers.filter { $0.name.lowercased() == "content-encoding" }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ",")
    }
}

/// Answers for a server over real sockets.
package protocol ServedAnswers: Sendable {
    /// The answer to a request.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` for an answer that cannot be read.
    func answer(to request: ServedRequest) async throws(SwiftyError) -> ServedAnswer
}

/// The answer to a request, or the reason why nothing answers it.
package enum ServedAnswer: Sendable {
    case answer(MockResponse)
    case missing(String)
}
