// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The header fields of a request as the list that libcurl expects, validated on the way.
///
/// Made on the caller's thread, so that the loop does not spend time on it. The owner frees the list.
struct FieldList {
    private(set) var list = ccurl_fields()
    private var hasContentType = false
    private var hasExpect = false
    private var hasUserAgent = false

    /// Makes the list.
    ///
    /// - Parameters:
    ///   - userAgent: The `User-Agent` of a request without one. libcurl's own option for it costs more.
    ///   - expectsContinue: Whether the content waits for a 100 response, or for a second of silence.
    /// - Throws: `invalidHeader` if a field must not be sent.
    init(_ request: NetworkRequest, userAgent: HTTPField?, expectsContinue: Bool = false) throws(SwiftyError) {
        do {
            for field in request.headers { try append(field, of: request) }
            if let userAgent, !hasUserAgent { try append(name: userAgent.name.rawName, of: userAgent) }
            if RequestContent(request).isPresent { try appendDefaults(expectsContinue) }
        } catch {
            ccurl_free_fields(list)
            throw error
        }
    }

    private mutating func append(_ field: HTTPField, of request: NetworkRequest) throws(SwiftyError) {
        switch TransportField(field.name) {
        case .contentLength: return try checkLength(field, of: request)
        case .transferEncoding:
            throw Self.invalidHeader("Transfer-Encoding is set by the transport, not by the request")
        case .proxyAuthorization:
            // The field would reach the origin (CVE-2014-1830).
            throw Self.invalidHeader("Proxy-Authorization is not for the origin: set TransportSettings.proxy instead")
        case .contentType: hasContentType = true
        case .expect: hasExpect = true
        case .userAgent: hasUserAgent = true
        case nil: break
        }
        try append(name: field.name.rawName, of: field)
    }

    private mutating func append(name: String, of field: HTTPField) throws(SwiftyError) {
        var name = name
        let result = name.withUTF8 { name in
            field.withUnsafeBytesOfValue {
                ccurl_append_field(&list, name.baseAddress, name.count, $0.baseAddress, $0.count)
            }
        }
        switch result {
        case CCURL_FIELD_APPENDED: return
        case CCURL_FIELD_BAD_NAME:
            throw Self.invalidHeader("the header field's name \"\(name)\" is not a token")
        case CCURL_FIELD_BAD_VALUE: throw Self.invalidHeader("the value of \(name) contains CR, LF or NUL")
        default: throw Self.outOfMemory
        }
    }

    /// libcurl writes the length of the content itself; a request may contain the field if it is correct.
    private func checkLength(_ field: HTTPField, of request: NetworkRequest) throws(SwiftyError) {
        guard field.value == String(request.body?.count ?? 0) else {
            throw Self.invalidHeader("Content-Length is not the length of the content")
        }
    }

    /// Keeps libcurl from adding fields that the caller did not write: a form's content type, and `Expect`.
    private mutating func appendDefaults(_ expectsContinue: Bool) throws(SwiftyError) {
        if !hasContentType { try append("Content-Type:") }
        if !hasExpect { try append(expectsContinue ? "Expect: 100-continue" : "Expect:") }
    }

    private mutating func append(_ line: String) throws(SwiftyError) {
        guard ccurl_append_line(&list, line) else { throw Self.outOfMemory }
    }

    private static func invalidHeader(_ reason: String) -> SwiftyError {
        SwiftyError(.invalidHeader, stage: .building, reason: reason)
    }

    private static var outOfMemory: SwiftyError {
        SwiftyError(.transportFailed, stage: .building, reason: "out of memory")
    }
}

/// The fields with a meaning for the transport itself.
private enum TransportField {
    case contentLength
    case transferEncoding
    case proxyAuthorization
    case contentType
    case expect
    case userAgent

    /// Most other names differ from all of these by their length.
    init?(_ name: HTTPField.Name) {
        switch name.canonicalName.utf8.count {
        case 6 where name.canonicalName == "expect": self = .expect
        case 10 where name == .userAgent: self = .userAgent
        case 12 where name == .contentType: self = .contentType
        case 14 where name == .contentLength: self = .contentLength
        case 17 where name == .transferEncoding: self = .transferEncoding
        case 19 where name == .proxyAuthorization: self = .proxyAuthorization
        default: return nil
        }
    }
}
