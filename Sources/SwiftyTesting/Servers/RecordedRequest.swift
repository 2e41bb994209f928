// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A request that a `LoopbackServer` has received in full.
public struct RecordedRequest: Sendable {
    /// The method, as sent.
    public internal(set) var method: String

    /// The request target, as sent: `/get?a=1`.
    public let target: String

    /// The path of the target, still percent-encoded.
    public let path: String

    /// The query as decoded pairs in their order, `+` being a space; a name without `=` has an empty value.
    public let queryItems: [(name: String, value: String)]

    /// The header fields in their order, names as sent.
    public let headers: [(name: String, value: String)]

    /// The body, without the framing of chunks.
    public let body: Data

    /// The address that the request came from.
    public let remoteAddress: String

    /// The port that the request came from. Requests with the same port came over the same connection.
    public let remotePort: Int

    /// The connection that the request came over: 0 for the first that the server accepted.
    public let connection: Int

    /// When the request was complete.
    public let time: Date

    /// The values of a route's variables, decoded: for the route `/users/{id}` the key is `id`, and for a final `*`
    /// the key `*` has the rest of the path, not decoded.
    public internal(set) var pathVariables: [String: String] = [:]

    init(head: RequestHead, body: [UInt8], connection: Int, remotePort: Int) {
        method = head.method
        target = head.target
        let origin = Self.originForm(of: head.target)
        let parts = origin.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "")
        queryItems = parts.count > 1 ? FormBody.items(String(parts[1])) : []
        headers = head.headers
        self.body = Data(body)
        self.connection = connection
        self.remotePort = remotePort
        remoteAddress = "127.0.0.1"
        time = Date()
    }

    /// The first value of a header field, whose name is compared without case.
    public subscript(name: String) -> String? { values(of: name).first }

    /// The values of a header field, whose name is compared without case, in their order.
    public func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The first value of a query item.
    public func query(_ name: String) -> String? {
        queryItems.first { $0.name == name }?.value
    }

    /// The body as text; bytes that are not UTF-8 are replaced.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The body decoded from JSON.
    ///
    /// Throws what `JSONDecoder` throws.
    public func decodeBody<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }

    /// The path and query of a target that may be a whole URL, as proxies receive it.
    private static func originForm(of target: String) -> Substring {
        guard let scheme = target.range(of: "://"), !target.hasPrefix("/") else { return target[...] }
        let rest = target[scheme.upperBound...]
        return rest.firstIndex { $0 == "/" || $0 == "?" }.map { rest[$0...] } ?? "/"
    }
}
