// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Swifty
import SwiftySupport

/// A request that was sent to a mock, as a server would have received it.
public struct MockedRequest: Sendable {
    /// The request itself. Content that was produced while it was sent is in its `body`.
    public let request: NetworkRequest
    /// The name of the request, or else of the function that describes it; `nil` if neither is known.
    public let name: String?
    /// The path below the service's base URL; `nil` for another server or path, as after a redirect.
    let relativePath: String?
    /// The template of the path; `nil` for a redirected request.
    let template: String?
    let service: (any NamedService.Type)?
    /// The decoder of the service; `nil` if it is not known.
    private let decoder: JSONDecoder?
    /// Whether the request goes to the server of its service, and not to that of a redirect.
    let isAtOwnOrigin: Bool

    init(_ request: NetworkRequest) {
        self.request = request
        service = nil
        decoder = nil
        isAtOwnOrigin = true
        relativePath = request.template.map { Self.relativePath(of: request.target.path, template: $0) }
        // After a redirect, the path differs, but the name and the template are those of the first request.
        let isOwn = relativePath.flatMap { MockPath(request.template ?? "").values(in: $0) } != nil
        name = isOwn || request.template == nil ? request.name : nil
        template = isOwn ? request.template : nil
    }

    /// The values that a mock file can use: the variables of the path, and the parameters of the query.
    var values: [String: String] {
        var values = template.flatMap { template in relativePath.flatMap { MockPath(template).values(in: $0) } } ?? [:]
        for (name, value) in queryItems where values["query.\(name)"] == nil { values["query.\(name)"] = value }
        return values
    }

    /// A request of a load.
    init(_ request: NetworkRequest, of draft: RequestDraft) {
        self.request = request
        service = draft.service
        decoder = draft.decoder
        isAtOwnOrigin = draft.target?.origin == request.target.origin
        relativePath = isAtOwnOrigin ? draft.relativePath(of: request.target.path) : nil
        // A redirect leads to another path: it is not the request that the name and the template describe.
        let isOwn = isAtOwnOrigin && draft.target?.path == request.target.path
        let definition = draft.definition.map { String("\($0)".prefix { $0 != "(" }) }
        name = isOwn ? draft.name ?? definition : nil
        template = isOwn ? request.template : nil
    }

    /// The last segments of a path, as many as the template has; the whole path if the template does not tell.
    private static func relativePath(of path: String, template: String) -> String {
        let path = MockPath.normalize(path)
        guard let count = MockPath(template).segmentCount else { return path }
        return path.split(separator: "/", omittingEmptySubsequences: false).suffix(count).joined(separator: "/")
    }

    /// The method, as in `GET`.
    public var method: String { request.method.rawValue }
    /// The whole URL.
    public var url: String { request.target.string }
    /// The path of the URL, percent-encoded.
    public var path: String { request.target.path }
    /// The header fields.
    public var headers: HTTPFields { request.headers }
    /// The content; empty if there is none.
    public var content: Data { request.content.data ?? Data() }
    /// The content as text.
    public var text: String { String(decoding: content, as: UTF8.self) }

    /// The parameters of the query, decoded; of several with the same name, the first.
    public var query: [String: String] {
        Dictionary(queryItems.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// The parameters of the query in their order, decoded.
    public var queryItems: [(name: String, value: String)] { FormContent.items(request.target.query ?? "") }

    /// The fields of a form (`application/x-www-form-urlencoded`), decoded; of several with the same name, the first.
    public var form: [String: String] {
        Dictionary(FormContent.items(text).map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// The value of a header field, whose name is compared without case.
    public subscript(name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

    /// The content decoded from JSON.
    ///
    /// - Parameter decoder: The decoder; that of the service if `nil`.
    /// - Throws: The error of the decoder.
    public func decode<Value: Decodable>(_ type: Value.Type, decoder: JSONDecoder? = nil) throws -> Value {
        try (decoder ?? self.decoder ?? JSONDecoder()).decode(type, from: content)
    }
}

extension MockedRequest: CustomStringConvertible {
    /// Method and URL, with secrets replaced.
    public var description: String { NetworkRequest.Summary(request).description }
}
