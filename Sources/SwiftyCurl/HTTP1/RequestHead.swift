// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import SwiftyTransport

/// The head of a request: its request line and its header fields as HTTP/1.1 writes them (RFC 9112 §2.1), validated on
/// the way.
///
/// Made on the caller's thread, so that the loop does not spend time on it. HTTP/2 takes its fields from the same bytes.
struct RequestHead: Sendable {
    /// The form of the request target (RFC 9112 §3.2).
    enum TargetForm {
        /// Path and query, for the origin server.
        case origin
        /// The whole URI, for a proxy without a tunnel.
        case absolute
    }

    /// The values that the transport adds to a request.
    struct Additions {
        /// The `User-Agent` of a request without one.
        var userAgent: HTTPField?
        /// The `Proxy-Authorization` of a request that a proxy receives.
        var proxyAuthorization: String?
        /// Whether the content waits for a 100 response.
        var expectsContinue = false
        var targetForm = TargetForm.origin
    }

    /// The request line, the field lines and the empty line.
    private(set) var bytes: [UInt8] = []
    /// The index of the first field line, which is `Host`.
    private(set) var fieldsStart = 0

    private var host: HTTPField?
    private var hasAccept = false
    private var hasExpect = false
    private var hasUserAgent = false

    /// Writes the head.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - contentLength: The length of its content; `nil` if it has none.
    ///   - additions: The values that the transport adds.
    /// - Throws: `invalidHeader` if a field must not be sent.
    init(_ request: NetworkRequest, contentLength: Int?, _ additions: Additions) throws(SwiftyError) {
        bytes.reserveCapacity(512)
        appendRequestLine(request, additions.targetForm)
        fieldsStart = bytes.count
        try inspect(request.headers, contentLength)
        if let host { try append(host) } else { appendHost(of: request.target) }
        for field in request.headers where !isWrittenElsewhere(field.name) { try append(field) }
        if let userAgent = additions.userAgent, !hasUserAgent { try append(userAgent) }
        if !hasAccept { append("Accept: */*\r\n") }
        if let value = additions.proxyAuthorization { append("Proxy-Authorization: \(value)\r\n") }
        if let contentLength { append("Content-Length: \(contentLength)\r\n") }
        if additions.expectsContinue, !hasExpect { append("Expect: 100-continue\r\n") }
        append("\r\n")
    }

    private mutating func appendRequestLine(_ request: NetworkRequest, _ form: TargetForm) {
        let target = request.target
        append(request.method.rawValue)
        bytes.append(.space)
        if form == .absolute { append(target.origin) }
        append(target.path.isEmpty ? "/" : target.path)
        if let query = target.query {
            bytes.append(UInt8(ascii: "?"))
            append(query)
        }
        append(" HTTP/1.1\r\n")
    }

    private mutating func appendHost(of target: TargetURI) {
        append("Host: ")
        bytes.append(contentsOf: target.origin.utf8.dropFirst(target.scheme.rawValue.utf8.count + 3))
        append("\r\n")
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }
}

extension RequestHead {
    /// Writes the head of a request to its server, or to a proxy that forwards it.
    init(
        _ request: NetworkRequest,
        _ content: RequestContent,
        _ proxy: TransportSettings.Proxy?,
        userAgent: HTTPField?,
        expectsContinue: Bool
    ) throws(SwiftyError) {
        var additions = Additions(userAgent: userAgent, expectsContinue: expectsContinue)
        if let proxy, proxy.forwards(request) {
            additions.targetForm = .absolute
            additions.proxyAuthorization = proxy.authorization
        }
        try self.init(request, contentLength: content.isPresent ? content.count : nil, additions)
    }

    /// Finds the fields with a meaning for the transport.
    private mutating func inspect(_ fields: HTTPFields, _ contentLength: Int?) throws(SwiftyError) {
        for field in fields {
            switch TransportField(field.name) {
            case .contentLength: try checkLength(field, contentLength)
            case .transferEncoding:
                throw Self.invalidHeader("Transfer-Encoding is set by the transport, not by the request")
            case .proxyAuthorization:
                // The field would reach the origin (CVE-2014-1830).
                throw Self.invalidHeader(
                    "Proxy-Authorization is not for the origin: set TransportSettings.proxy instead"
                )
            case .host: host = field
            case .accept: hasAccept = true
            case .expect: hasExpect = true
            case .userAgent: hasUserAgent = true
            case nil: break
            }
        }
    }

    /// A request may contain the length of its content if it is correct.
    private func checkLength(_ field: HTTPField, _ contentLength: Int?) throws(SwiftyError) {
        guard field.value == String(contentLength ?? 0) else {
            throw Self.invalidHeader("Content-Length is not the length of the content")
        }
    }

    private func isWrittenElsewhere(_ name: HTTPField.Name) -> Bool {
        switch TransportField(name) {
        case .host, .contentLength: true
        default: false
        }
    }

    private mutating func append(_ field: HTTPField) throws(SwiftyError) {
        let name = field.name.rawName
        guard name.utf8.isToken else {
            throw Self.invalidHeader("the header field's name \"\(name)\" is not a token")
        }
        append(name)
        bytes.append(.colon)
        bytes.append(.space)
        let isValid = field.withUnsafeBytesOfValue { value in
            bytes.append(contentsOf: value)
            return value.allSatisfy { $0 != .carriageReturn && $0 != .lineFeed && $0 != 0 }
        }
        guard isValid else { throw Self.invalidHeader("the value of \(name) contains CR, LF or NUL") }
        bytes.append(.carriageReturn)
        bytes.append(.lineFeed)
    }

    private static func invalidHeader(_ reason: String) -> SwiftyError {
        SwiftyError(.invalidHeader, stage: .building, reason: reason)
    }
}

/// The fields with a meaning for the transport itself.
private enum TransportField {
    case accept
    case contentLength
    case expect
    case host
    case proxyAuthorization
    case transferEncoding
    case userAgent

    /// Most other names differ from all of these by their length.
    init?(_ name: HTTPField.Name) {
        switch name.canonicalName.utf8.count {
        case 4 where name.canonicalName == "host": self = .host
        case 6 where name == .accept: self = .accept
        case 6 where name.canonicalName == "expect": self = .expect
        case 10 where name == .userAgent: self = .userAgent
        case 14 where name == .contentLength: self = .contentLength
        case 17 where name == .transferEncoding: self = .transferEncoding
        case 19 where name == .proxyAuthorization: self = .proxyAuthorization
        default: return nil
        }
    }
}
