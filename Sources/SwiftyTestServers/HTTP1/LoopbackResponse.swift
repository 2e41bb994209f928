// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A response of a route of a ``LoopbackServer``.
///
/// The server adds `Date`, `Content-Length` or `Transfer-Encoding`, and `Connection` where it is needed. For `HEAD`,
/// 204 and 304 it omits the content itself. ``failing(with:)`` and ``raw(_:)-([UInt8])`` break the protocol.
public struct LoopbackResponse: Sendable {
    /// The status code.
    public var status: Int

    /// The header fields, sent in this order.
    public var headers: [(name: String, value: String)]

    /// The pause before the server sends the first byte.
    public var delay: Duration?

    /// The rate of the content; `nil` does not limit it.
    public var bytesPerSecond: Int?

    var content: Content
    var fault: Fault?

    /// A response with a status, header fields and content.
    public init(
        status: Int = 200,
        headers: [(name: String, value: String)] = [],
        content: Data = Data(),
        delay: Duration? = nil
    ) {
        self.status = status
        self.headers = headers
        self.delay = delay
        self.content = .data(content)
    }

    /// An empty response.
    public static func status(_ status: Int, headers: [(name: String, value: String)] = []) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: headers)
    }

    /// A response with text, by default `text/plain` in UTF-8.
    public static func text(
        _ text: String,
        status: Int = 200,
        type: String = "text/plain; charset=utf-8"
    ) -> LoopbackResponse {
        .data(Data(text.utf8), status: status, type: type)
    }

    /// A response with bytes, by default `application/octet-stream`.
    public static func data(
        _ data: Data,
        status: Int = 200,
        type: String = "application/octet-stream"
    ) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: [("Content-Type", type)], content: data)
    }

    /// A response with a value encoded as JSON, with sorted keys; a 500 with the reason if the value cannot be encoded.
    public static func json(_ value: some Encodable, status: Int = 200) -> LoopbackResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return json(status) { try encoder.encode(value) }
    }

    /// A response with a dictionary as a JSON object, its keys in sorted order; a 500 with the reason if JSON cannot
    /// express a value.
    @_disfavoredOverload
    public static func json(_ object: [String: Any], status: Int = 200) -> LoopbackResponse {
        json(status) { try serialize(object) }
    }

    /// A response with an array as a JSON array; a 500 with the reason if JSON cannot express a value.
    @_disfavoredOverload
    public static func json(_ array: [Any], status: Int = 200) -> LoopbackResponse {
        json(status) { try serialize(array) }
    }

    private static func json(_ status: Int, _ encode: () throws -> Data) -> LoopbackResponse {
        do {
            var data = try encode()
            data.append(UInt8(ascii: "\n"))
            return .data(data, status: status, type: "application/json")
        } catch {
            return .text("The response cannot be encoded: \(error)\n", status: 500)
        }
    }

    private static func serialize(_ value: Any) throws -> Data {
        // An invalid object would otherwise end the process.
        guard JSONSerialization.isValidJSONObject(value) else { throw CocoaError(.propertyListWriteInvalid) }
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try JSONSerialization.data(withJSONObject: value, options: options)
    }

    /// Exactly these bytes in place of a response, after which the connection is closed.
    ///
    /// They are sent unchanged, whatever the request was: head, framing and content are up to the caller.
    public static func raw(_ bytes: [UInt8]) -> LoopbackResponse {
        LoopbackResponse().with { $0.content = .raw(bytes) }
    }

    /// Exactly this text, as UTF-8, in place of a response; line ends must be written as `\r\n`.
    public static func raw(_ text: String) -> LoopbackResponse { raw(Array(text.utf8)) }

    /// A response with content of unknown length, sent as chunks with a pause before each but the first.
    public static func chunks(
        _ chunks: [Data],
        every pause: Duration = .zero,
        type: String = "application/octet-stream"
    ) -> LoopbackResponse {
        .pieces(PieceSource(count: chunks.count, length: nil, pause: pause) { chunks[$0] }, type: type)
    }

    /// The same response with another header field at the end.
    public func header(_ name: String, _ value: String) -> LoopbackResponse {
        with { $0.headers.append((name, value)) }
    }

    /// The same response, sent after a pause.
    public func delayed(_ delay: Duration) -> LoopbackResponse {
        with { $0.delay = delay }
    }

    /// The same response, whose content is sent at a rate.
    public func slow(bytesPerSecond rate: Int) -> LoopbackResponse {
        with { $0.bytesPerSecond = rate }
    }

    func with(_ change: (inout LoopbackResponse) -> Void) -> LoopbackResponse {
        var response = self
        change(&response)
        return response
    }

    package static func pieces(
        _ source: PieceSource,
        status: Int = 200,
        type: String = "application/octet-stream"
    ) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: [("Content-Type", type)]).with { $0.content = .pieces(source) }
    }
}

extension LoopbackResponse.Content {
    /// The number of all bytes; `nil` if it is not known before they are made.
    var length: Int? {
        switch self {
        case .data(let data): data.count
        case .raw(let bytes): bytes.count
        case .pieces(let source): source.length
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .data(let data): Array(data)
        case .pieces(let source): (0..<source.count).flatMap { Array(source.piece($0)) }
        case .raw(let bytes): bytes
        }
    }
}

extension LoopbackResponse {
    /// Content: complete, or made while it is sent; or all bytes of a response.
    enum Content: Sendable {
        case data(Data)
        case pieces(PieceSource)
        case raw([UInt8])
    }

    /// Content that is made piece by piece, so that a hundred megabytes are never in memory at once.
    package struct PieceSource: Sendable {
        let count: Int
        /// The length of the whole content, to be declared; `nil` sends the pieces as chunks.
        let length: Int?
        let pause: Duration
        let piece: @Sendable (_ index: Int) -> Data

        package init(
            count: Int,
            length: Int?,
            pause: Duration = .zero,
            piece: @escaping @Sendable (_ index: Int) -> Data
        ) {
            (self.count, self.length, self.pause, self.piece) = (count, length, pause, piece)
        }
    }
}
