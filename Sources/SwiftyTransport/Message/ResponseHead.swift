// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The status line and the header fields of a response.
///
/// The fields are kept as the bytes that arrived and parsed when they are first asked for.
public struct ResponseHead: Sendable {
    /// The status code, 100...999.
    public let statusCode: Int
    /// The reason phrase of the status line; empty with HTTP/2.
    public let reasonPhrase: String
    /// The protocol version that the response came in.
    public let httpVersion: HTTPVersion

    private let fields: FieldSection

    /// Makes a head of parsed fields, as a mock or another transport does.
    public init(
        statusCode: Int,
        reasonPhrase: String = "",
        httpVersion: HTTPVersion = .http1_1,
        headers: HTTPFields = [:]
    ) {
        self.statusCode = statusCode
        self.reasonPhrase = reasonPhrase
        self.httpVersion = httpVersion
        self.fields = FieldSection(headers)
    }

    /// Makes a head whose fields are parsed later.
    ///
    /// - Parameter rawFields: field lines that end in CRLF or LF, without the status line. Lines without a valid name
    ///   are left out when the fields are parsed.
    public init(statusCode: Int, reasonPhrase: String, httpVersion: HTTPVersion, rawFields: [UInt8]) {
        self.statusCode = statusCode
        self.reasonPhrase = reasonPhrase
        self.httpVersion = httpVersion
        self.fields = FieldSection(rawFields)
    }

    /// The header fields, in the order in which they arrived.
    public var headers: HTTPFields { fields.parsed }

    /// Whether there may be a field of this name; `false` is certain. Costs less than parsing the fields.
    ///
    /// - Parameter name: in lower case.
    package func mayHaveField(_ name: StaticString) -> Bool { fields.mayContain(name) }

    /// The status as text: `404 Not Found`, or the code alone if the server sent no phrase.
    package var statusText: String {
        reasonPhrase.isEmpty ? "\(statusCode)" : "\(statusCode) \(reasonPhrase)"
    }

    /// The status with its reason, as HTTPTypes models it.
    public var status: HTTPResponse.Status {
        HTTPResponse.Status(code: min(max(statusCode, 0), 999), reasonPhrase: reasonPhrase)
    }
}

extension ResponseHead {
    /// The version of HTTP that a message was sent in.
    public enum HTTPVersion: String, Sendable, Hashable {
        /// HTTP/1.0.
        case http1_0 = "1.0"
        /// HTTP/1.1.
        case http1_1 = "1.1"
        /// HTTP/2.
        case http2 = "2"
        /// HTTP/3.
        case http3 = "3"
    }
}
