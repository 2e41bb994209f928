// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The header fields of a request as the list that libcurl wants, checked on the way.
///
/// Made on the thread of the caller, so that the loop's thread does not pay for it. The owner frees the list.
struct FieldList {
    private(set) var list: UnsafeMutablePointer<curl_slist>?
    private var hasContentType = false
    private var hasExpect = false

    /// Throws `invalidHeader` if a field must not be sent.
    ///
    /// - Parameter expectsContinue: Whether the content is sent only when the server asks for it, or says nothing.
    init(_ request: NetworkRequest, expectsContinue: Bool = false) throws(SwiftyError) {
        do {
            for field in request.headers { try append(field, of: request) }
            if RequestContent(request).isPresent { try appendDefaults(expectsContinue) }
        } catch {
            curl_slist_free_all(list)
            throw error
        }
    }

    private mutating func append(_ field: HTTPField, of request: NetworkRequest) throws(SwiftyError) {
        let name = field.name
        if name == .contentLength { return try checkLength(field, of: request) }
        if name == .transferEncoding {
            throw Self.invalidHeader("Transfer-Encoding is set by the transport, not by the request")
        }
        if name == .proxyAuthorization {
            // It would reach the origin (CVE-2014-1830).
            throw Self.invalidHeader("Proxy-Authorization is not for the origin: set TransportSettings.proxy instead")
        }
        if name == .contentType { hasContentType = true }
        if name == .expect { hasExpect = true }
        try append(name: name.rawName, of: field)
    }

    private mutating func append(name: String, of field: HTTPField) throws(SwiftyError) {
        guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else {
            throw Self.invalidHeader("the header field's name \"\(name)\" is not a token")
        }
        let isAppended = field.withUnsafeBytesOfValue { value -> Bool? in
            guard value.allSatisfy(\.isFieldByte) else { return nil }
            return append(name: name, value: UnsafeRawBufferPointer(value))
        }
        switch isAppended {
        case true?: return
        case false?: throw Self.outOfMemory
        case nil: throw Self.invalidHeader("the value of \(name) contains CR, LF or NUL")
        }
    }

    private mutating func append(name: String, value: UnsafeRawBufferPointer) -> Bool {
        var name = name
        let longer = name.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { name in
                name.baseAddress.flatMap { ccurl_append_field(list, $0, name.count, value.baseAddress, value.count) }
            }
        }
        guard let longer else { return false }
        list = longer
        return true
    }

    /// libcurl writes the length of the content itself; a request may say it too, but nothing else.
    private func checkLength(_ field: HTTPField, of request: NetworkRequest) throws(SwiftyError) {
        guard field.value == String(request.body?.count ?? 0) else {
            throw Self.invalidHeader("Content-Length is not the length of the content")
        }
    }

    /// Keeps libcurl from adding what the caller did not write: a form's content type, and the expectation of a 100.
    private mutating func appendDefaults(_ expectsContinue: Bool) throws(SwiftyError) {
        if !hasContentType { try append("Content-Type:") }
        if !hasExpect { try append(expectsContinue ? "Expect: 100-continue" : "Expect:") }
    }

    private mutating func append(_ line: String) throws(SwiftyError) {
        guard let longer = curl_slist_append(list, line) else { throw Self.outOfMemory }
        list = longer
    }

    private static func invalidHeader(_ reason: String) -> SwiftyError {
        SwiftyError(.invalidHeader, stage: .building, reason: reason)
    }

    private static var outOfMemory: SwiftyError {
        SwiftyError(.transportFailed, stage: .building, reason: "out of memory")
    }
}

extension HTTPField.Name {
    fileprivate static let expect = HTTPField.Name("Expect") ?? .contentType
}

extension UInt8 {
    /// A byte of a token, RFC 9110 §5.6.2.
    var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    /// Anything that cannot end a line or a C string.
    fileprivate var isFieldByte: Bool { self != 0 && self != 0x0A && self != 0x0D }
}
