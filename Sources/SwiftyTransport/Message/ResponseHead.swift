// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The status line and the header fields of a response.
///
/// A transport may keep the fields as the received bytes, which are parsed on first access.
public struct ResponseHead: Sendable {
    /// The status code, 100...999.
    public var statusCode: Int { parts.statusCode }
    /// The reason phrase of the status line; empty with HTTP/2.
    public var reasonPhrase: String { parts.reasonPhrase }
    /// The protocol version of the response.
    public var httpVersion: HTTPVersion { parts.httpVersion }

    private let parts: Parts

    /// Makes a head from parsed fields.
    public init(
        statusCode: Int,
        reasonPhrase: String = "",
        httpVersion: HTTPVersion = .http1_1,
        headers: HTTPFields = [:]
    ) {
        parts = Parts(statusCode, reasonPhrase, httpVersion, .parsed(headers))
    }

    /// Makes a head whose fields are parsed on first access.
    ///
    /// - Parameter rawFields: The field lines without the status line, each ending in CRLF or LF. Lines without a valid
    ///   name are left out.
    public init(statusCode: Int, reasonPhrase: String, httpVersion: HTTPVersion, rawFields: [UInt8]) {
        parts = Parts(statusCode, reasonPhrase, httpVersion, .raw(rawFields))
    }

    /// The header fields, in the order of their arrival.
    public var headers: HTTPFields { parts.fields.parsed }

    /// The value of a header field; several are joined by `", "` (RFC 9110 §5.3). `nil` if it is absent.
    ///
    ///     let link = response.head?["Link"]
    ///
    /// - Parameter name: The field's name, in any case.
    public subscript(name: String) -> String? {
        HTTPField.Name(name).flatMap { headers[$0] }
    }

    /// The values of the header fields of a name as bytes, one for each line, in their order: a value that is not UTF-8
    /// has U+FFFD in its text (RFC 9110 §5.5 leaves such bytes to the reader).
    ///
    /// - Parameter name: The field's name, in any case.
    public func bytes(of name: String) -> [[UInt8]] {
        guard let name = HTTPField.Name(name) else { return [] }
        return headers[fields: name].map { field in field.withUnsafeBytesOfValue { Array($0) } }
    }

    /// The number of bytes that `Content-Length` announces; `nil` without a valid one.
    package var contentLength: Int? {
        let values = headers[values: .contentLength]
        guard let value = values.first, value.utf8.count <= 18, value.utf8.isDecimal else { return nil }
        return Int(value)
    }

    /// Whether there may be a field of this name; `false` is certain. Cheaper than parsing the fields.
    ///
    /// - Parameter name: The name in lower case.
    package func mayHaveField(_ name: StaticString) -> Bool { parts.fields.mayContain(name) }

    /// The status as text, such as `404 Not Found`; the code alone if there is no phrase.
    package var statusText: String {
        reasonPhrase.isEmpty ? "\(statusCode)" : "\(statusCode) \(reasonPhrase)"
    }

    /// The status code and the reason phrase as a value of HTTPTypes.
    public var status: HTTPResponse.Status {
        HTTPResponse.Status(code: min(max(statusCode, 0), 999), reasonPhrase: reasonPhrase)
    }
}

extension ResponseHead {
    /// The parts, boxed because a head is passed between stages. Fields are parsed once for all copies.
    private final class Parts: Sendable {
        let statusCode: Int
        let reasonPhrase: String
        let httpVersion: HTTPVersion
        let fields: FieldSection

        init(_ statusCode: Int, _ reasonPhrase: String, _ httpVersion: HTTPVersion, _ fields: FieldSection.Content) {
            self.statusCode = statusCode
            self.reasonPhrase = reasonPhrase
            self.httpVersion = httpVersion
            self.fields = FieldSection(fields)
        }
    }
}

extension ResponseHead {
    /// The version of HTTP of a message.
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

extension ResponseHead: CustomStringConvertible, CustomReflectable {
    /// Version, status and header fields on one line, with secrets replaced.
    public var description: String { description(Redactor()) }

    /// The description without the secrets of a request.
    package func description(_ redactor: Redactor) -> String {
        let line = redactor.text("HTTP/\(httpVersion.rawValue) \(statusCode) \(reasonPhrase)")
        return Redaction.line("\(line) \(redactor.describe(headers))")
    }

    /// The ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
