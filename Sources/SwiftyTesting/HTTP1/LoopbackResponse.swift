// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A response of a route of a ``LoopbackServer``.
///
/// The server adds `Date`, `Content-Length` or `Transfer-Encoding`, and `Connection` where it is needed. For `HEAD`,
/// 204 and 304 it omits the body itself. A ``ScriptedServer`` sends responses that break the protocol.
public struct LoopbackResponse: Sendable {
    /// The status code.
    public var status: Int

    /// The header fields, sent in this order.
    public var headers: [(name: String, value: String)]

    /// The pause before the server sends the first byte.
    public var delay: Duration?

    var content: Content
    var fault: Fault?

    /// A response with a status, header fields and a body.
    public init(
        status: Int = 200,
        headers: [(name: String, value: String)] = [],
        body: Data = Data(),
        delay: Duration? = nil
    ) {
        self.status = status
        self.headers = headers
        self.delay = delay
        content = .data(body)
    }

    /// An empty response.
    public static func status(_ status: Int, headers: [(name: String, value: String)] = []) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: headers)
    }

    /// A response with a text, by default `text/plain` in UTF-8.
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
        LoopbackResponse(status: status, headers: [("Content-Type", type)], body: data)
    }

    /// A response with a value encoded as JSON, with sorted keys; a 500 with the reason if the value cannot be encoded.
    public static func json(_ value: some Encodable, status: Int = 200) -> LoopbackResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            var data = try encoder.encode(value)
            data.append(UInt8(ascii: "\n"))
            return .data(data, status: status, type: "application/json")
        } catch {
            return .text("The response cannot be encoded: \(error)\n", status: 500)
        }
    }

    /// A response with a body of unknown length, sent as chunks with a pause before each but the first.
    public static func chunks(
        _ chunks: [Data],
        every pause: Duration = .zero,
        type: String = "application/octet-stream"
    ) -> LoopbackResponse {
        .pieces(PieceSource(count: chunks.count, length: nil, pause: pause) { chunks[$0] }, type: type)
    }

    /// The same response with another header field at the end.
    public func header(_ name: String, _ value: String) -> LoopbackResponse {
        var copy = self
        copy.headers.append((name, value))
        return copy
    }

    /// The same response, sent after a pause.
    public func delayed(_ delay: Duration) -> LoopbackResponse {
        var copy = self
        copy.delay = delay
        return copy
    }

    /// The same response with a complete body, whose bytes are sent at a rate.
    public func slow(bytesPerSecond rate: Int) -> LoopbackResponse {
        guard case .data(let data) = content else { return self }
        let (bytes, size) = (Array(data), max(1, rate / 10))
        let pause = Duration.seconds(Double(size) / Double(max(1, rate)))
        var copy = self
        copy.content = .pieces(
            PieceSource(count: (bytes.count + size - 1) / size, length: bytes.count, pause: pause) { index in
                Data(bytes[index * size..<min(bytes.count, (index + 1) * size)])
            }
        )
        return copy
    }

    static func pieces(
        _ source: PieceSource,
        status: Int = 200,
        type: String = "application/octet-stream"
    ) -> LoopbackResponse {
        var response = LoopbackResponse(status: status, headers: [("Content-Type", type)])
        response.content = .pieces(source)
        return response
    }
}

extension LoopbackResponse {
    /// A body: complete, or made while it is sent.
    enum Content: Sendable {
        case data(Data)
        case pieces(PieceSource)
    }

    /// A body that is made piece by piece, so that a hundred megabytes are never in memory together.
    struct PieceSource: Sendable {
        let count: Int
        /// The length of the whole body, to be declared; `nil` sends the pieces as chunks.
        let length: Int?
        var pause: Duration = .zero
        let piece: @Sendable (_ index: Int) -> Data
    }
}

extension LoopbackResponse {
    /// The way in which a connection breaks instead of carrying the whole response.
    public enum Fault: Sendable, Equatable {
        /// The connection is closed before the response.
        case close

        /// The connection is reset before the response.
        case reset

        /// The connection is closed after the head and this many bytes of the body.
        case closeAfter(bodyBytes: Int)

        /// The connection is reset after the head and this many bytes of the body.
        case resetAfter(bodyBytes: Int)

        /// Nothing is sent, and the connection stays open until the client leaves.
        case stall

        /// The head and this many bytes of the body are sent; then the connection stays open and silent.
        case stallAfter(bodyBytes: Int)

        /// The fate of the connection.
        var outcome: ResponseWriter.Outcome {
            switch self {
            case .reset, .resetAfter: .resets
            case .close, .closeAfter: .closes
            case .stall, .stallAfter: .stalls
            }
        }

        /// The number of bytes of the body that are sent; `nil` if not even the head is.
        var bodyBytes: Int? {
            switch self {
            case .close, .reset, .stall: nil
            case .closeAfter(let count), .resetAfter(let count), .stallAfter(let count): max(0, count)
            }
        }
    }

    /// The same response on a connection that breaks.
    ///
    /// The delay is kept, and the header fields declare the whole body.
    public func failing(with fault: Fault) -> LoopbackResponse {
        var copy = self
        copy.fault = fault
        return copy
    }
}
