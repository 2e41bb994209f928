// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftySupport

/// A request that a ``LoopbackServer`` or a ``ScriptedServer`` has read.
///
/// The bytes are kept as received. A ``LoopbackServer`` records only requests that RFC 9112 allows; those of a
/// ``ScriptedServer`` are parsed leniently, so that a test can inspect a request that breaks the rules.
public struct RecordedRequest: Sendable {
    /// The method, as sent.
    public internal(set) var method: String

    /// The request target, as sent: `/get?a=1`.
    public let target: String

    /// The protocol version, as sent: `HTTP/1.1`.
    public let version: String

    /// The path of the target, still percent-encoded.
    public let path: String

    /// The query as decoded pairs in their order, `+` being a space; a name without `=` has an empty value.
    public let queryItems: [(name: String, value: String)]

    /// The header fields in their order; names as sent, values without surrounding spaces and tabs.
    public let headers: [(name: String, value: String)]

    /// The request line and the header lines as they were on the wire, including the empty line.
    public let head: Data

    /// The content, without the framing of chunks.
    public private(set) var content = Data()

    /// The content as it was on the wire, with chunk sizes and trailers if it was chunked.
    public private(set) var wireContent = Data()

    /// The address that the request came from.
    public let remoteAddress = "127.0.0.1"

    /// The port that the request came from. Requests with the same port came over the same connection.
    public let remotePort: Int

    /// The connection that the request came over: 0 for the first that the server accepted.
    public let connection: Int

    /// The time at which the last part of the request was read.
    public private(set) var time = Date()

    /// The values of a route's variables, decoded: for the route `/users/{id}` the key is `id`, and for a final `*` the
    /// key `*` has the rest of the path, still encoded.
    public internal(set) var pathVariables: [String: String] = [:]

    /// A request with a valid head, whose content is not read yet.
    init(head: RequestHead, connection: Int, remotePort: Int) {
        self.init(
            line: [head.method, head.target, "HTTP/1.\(head.minorVersion)"],
            headers: head.headers,
            head: head.bytes,
            connection: connection,
            remotePort: remotePort
        )
    }

    /// A request with any head, whose content is not read yet; missing parts of the head are empty.
    init(lenientHead bytes: [UInt8], connection: Int, remotePort: Int) {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: true) { $0 == "\r\n" || $0 == "\n" }
        let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].trimmingSpacesAndTabs()))
        }
        self.init(
            line: (lines.first ?? "").split(separator: " ", maxSplits: 2).map(String.init),
            headers: headers,
            head: bytes,
            connection: connection,
            remotePort: remotePort
        )
    }

    private init(
        line: [String],
        headers: [(name: String, value: String)],
        head: [UInt8],
        connection: Int,
        remotePort: Int
    ) {
        method = line.first ?? ""
        target = line.dropFirst().first ?? ""
        version = line.dropFirst(2).first ?? ""
        let origin = Self.originForm(of: target)
        let parts = origin.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "")
        queryItems = parts.count > 1 ? FormContent.items(String(parts[1])) : []
        self.headers = headers
        self.head = Data(head)
        self.connection = connection
        self.remotePort = remotePort
    }

    /// Adds the content, which is read after the head.
    mutating func setContent(_ content: (wire: [UInt8], decoded: [UInt8])) {
        self.content = Data(content.decoded)
        // Only chunks make a difference; otherwise both share their bytes.
        wireContent = content.wire.count == content.decoded.count ? self.content : Data(content.wire)
        time = Date()
    }
}

extension RecordedRequest {
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

    /// The head as text; bytes that are not UTF-8 are replaced.
    public var headText: String { String(decoding: head, as: UTF8.self) }

    /// The content as text; bytes that are not UTF-8 are replaced.
    public var text: String { String(decoding: content, as: UTF8.self) }

    /// The content decoded from JSON.
    ///
    /// - Throws: The error of `JSONDecoder`.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: content)
    }

    /// The path and query of a target that may be a whole URL, as proxies receive it.
    private static func originForm(of target: String) -> Substring {
        guard let scheme = target.range(of: "://"), !target.hasPrefix("/") else { return target[...] }
        let rest = target[scheme.upperBound...]
        return rest.firstIndex { $0 == "/" || $0 == "?" }.map { rest[$0...] } ?? "/"
    }
}
