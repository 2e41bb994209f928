// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftySupport
import SwiftyTransport

/// The head of a request: its request line and its header fields as HTTP/1.1 writes them (RFC 9112 §2.1), validated on
/// the way.
///
/// Made on the thread of the caller, so that the loop does not spend time on it. HTTP/2 takes its fields from the same
/// bytes.
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
        /// The line with the `User-Agent` of a request without one; empty to send none.
        var userAgentLine: [UInt8] = []
        /// The `Proxy-Authorization` of a request that a proxy receives.
        var proxyAuthorization: String?
        /// Whether the content is sent as chunks, because its length is unknown (RFC 9112 §7.1).
        var isChunked = false
        /// Whether the content waits for a 100 response.
        var expectsContinue = false
        var targetForm = TargetForm.origin
    }

    /// The request line, the field lines and the empty line.
    private(set) var bytes: [UInt8] = []
    /// The ends of the method and of the request target, which a space separates.
    private(set) var methodEnd = 0
    private(set) var targetEnd = 0
    /// The index of the first field line, which is `Host`.
    private(set) var fieldsStart = 0

    /// Whether the request says that the connection ends after the response (RFC 9112 §9.6).
    private(set) var closesConnection = false

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
    init(
        _ request: NetworkRequest,
        contentLength: Int?,
        _ additions: Additions
    ) throws(SwiftyError) {
        bytes.reserveCapacity(256)
        append(request.method.rawValue)
        methodEnd = bytes.count
        bytes.append(.space)
        appendTarget(of: request, additions.targetForm)
        targetEnd = bytes.count
        append(" HTTP/1.1\r\nHost: ")
        fieldsStart = bytes.count - 6
        append(request.target.origin, droppingFirst: request.target.scheme == .http ? 7 : 8)
        append("\r\n")
        let hostEnd = bytes.count
        for field in request.headers { try append(field, contentLength) }
        if let host { try replaceHost(upTo: hostEnd, by: host) }
        let removed = request.removedHeaders
        if !hasUserAgent, !removed.contains(.userAgent) { bytes += additions.userAgentLine }
        if !hasAccept, !removed.contains(.accept) { append("Accept: */*\r\n") }
        if let value = additions.proxyAuthorization { append("Proxy-Authorization: \(value)\r\n" as String) }
        if let contentLength { append("Content-Length: \(contentLength)\r\n" as String) }
        if additions.isChunked { append("Transfer-Encoding: chunked\r\n") }
        if additions.expectsContinue, !hasExpect { append("Expect: 100-continue\r\n") }
        append("\r\n")
    }

    private mutating func appendTarget(of request: NetworkRequest, _ form: TargetForm) {
        if form == .absolute { append(request.target.origin) }
        if request.target.path.isEmpty { append("/") } else { append(request.target.path) }
        if let query = request.target.query {
            bytes.append(UInt8(ascii: "?"))
            append(query)
        }
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ text: String, droppingFirst count: Int = 0) {
        text.withBytes {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[count...]))
        }
    }
}

extension RequestHead {
    /// Writes the head of a request to its server, or to a proxy that forwards it.
    init(
        _ request: NetworkRequest,
        _ content: RequestContent,
        _ proxy: TransportSettings.Proxy?,
        userAgentLine: [UInt8],
        expectsContinue: Bool
    ) throws(SwiftyError) {
        var additions = Additions(
            userAgentLine: userAgentLine,
            isChunked: content.isChunked,
            expectsContinue: expectsContinue
        )
        if let proxy, proxy.forwards(request) {
            additions.targetForm = .absolute
            additions.proxyAuthorization = proxy.authorization
        }
        try self.init(request, contentLength: content.length, additions)
    }

    /// Appends a field, unless the transport writes it elsewhere.
    private mutating func append(_ field: HTTPField, _ contentLength: Int?) throws(SwiftyError) {
        switch TransportField(field.name) {
        case .contentLength: return try checkLength(field, contentLength)
        case .transferEncoding:
            throw Self.invalidHeader("Transfer-Encoding is set by the transport, not by the request")
        case .proxyAuthorization:
            // The field would reach the origin (CVE-2014-1830).
            throw Self.invalidHeader("Proxy-Authorization is not for the origin: set TransportSettings.proxy instead")
        case .host:
            guard host == nil else { throw Self.invalidHeader("a request has one Host field") }
            guard HostName.isHostField(field.value) else {
                throw Self.invalidHeader("the value of Host is not a host with an optional port")
            }
            host = field
            return
        case .accept: hasAccept = true
        case .connection: if field.value.lowercased().contains("close") { closesConnection = true }
        case .expect: hasExpect = true
        case .userAgent: hasUserAgent = true
        case nil: break
        }
        try append(field)
    }

    /// The first field is `Host`; the request's own one takes the place of the target's.
    private mutating func replaceHost(upTo end: Int, by host: HTTPField) throws(SwiftyError) {
        let rest = Array(bytes[end...])
        bytes.removeSubrange(fieldsStart...)
        try append(host)
        bytes += rest
    }

    /// A request may contain the length of its content if it is correct.
    private func checkLength(_ field: HTTPField, _ contentLength: Int?) throws(SwiftyError) {
        guard field.value == String(contentLength ?? 0) else {
            throw Self.invalidHeader("Content-Length is not the length of the content")
        }
    }

    private mutating func append(_ field: HTTPField) throws(SwiftyError) {
        let name = field.name.rawName
        guard name.isToken else {
            throw Self.invalidHeader("the header field's name \"\(name)\" is not a token")
        }
        append(name)
        bytes.append(.colon)
        bytes.append(.space)
        let isValid = field.withUnsafeBytesOfValue { value in
            bytes.append(contentsOf: value)
            return value.baseAddress.map { ccurl_is_field_value($0, value.count) } ?? true
        }
        guard isValid else { throw Self.invalidHeader("the value of \(name) contains a control character") }
        bytes.append(.carriageReturn)
        bytes.append(.lineFeed)
    }

    private static func invalidHeader(_ reason: String) -> SwiftyError {
        SwiftyError(.invalidHeader, stage: .building, reason: reason)
    }
}

extension String {
    /// Calls the closure with the bytes of UTF-8.
    fileprivate func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        #if canImport(Darwin)
        var text = self
        text.withUTF8(body)
        #else
        utf8Span.span.withUnsafeBufferPointer(body)
        #endif
    }

    /// Whether the text is a token (RFC 9110 §5.6.2).
    fileprivate var isToken: Bool {
        utf8.withContiguousStorageIfAvailable { ccurl_is_token($0.baseAddress, $0.count) } ?? utf8.isToken
    }
}

/// The fields with a meaning for the transport itself.
private enum TransportField {
    case accept
    case connection
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
        case 10 where name == .connection: self = .connection
        case 14 where name == .contentLength: self = .contentLength
        case 17 where name == .transferEncoding: self = .transferEncoding
        case 19 where name == .proxyAuthorization: self = .proxyAuthorization
        default: return nil
        }
    }
}
