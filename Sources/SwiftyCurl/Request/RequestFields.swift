// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftySupport
import SwiftyTransport

/// Writes the field lines of a request's head, and records those that concern the transport.
struct RequestFields {
    private let contentLength: Int?
    /// The line of the request's own `Host`.
    private(set) var hostLine: [UInt8]?
    private(set) var closesConnection = false
    private var hasAccept = false
    private var hasExpect = false
    private var hasUserAgent = false

    /// - Parameter contentLength: The length of the request's content; `nil` if it has none.
    init(contentLength: Int?) {
        self.contentLength = contentLength
    }

    /// Appends a field, unless the transport writes it elsewhere.
    mutating func append(_ field: HTTPField, to output: inout ByteWriter) throws(SwiftyError) {
        let name = field.name
        // Most other names differ from all of these in length.
        switch name.canonicalName.utf8.count {
        case 4 where name.canonicalName == "host": return try takeHost(field)
        case 6 where name == .accept: hasAccept = true
        case 6 where name.canonicalName == "expect": hasExpect = true
        case 10 where name == .userAgent: hasUserAgent = true
        case 10 where name == .connection: if field.value.lowercased().contains("close") { closesConnection = true }
        case 14 where name == .contentLength: return try checkLength(field)
        case 17 where name == .transferEncoding:
            throw Self.invalidHeader("Transfer-Encoding is set by the transport, not by the request")
        case 19 where name == .proxyAuthorization:
            // The field would reach the origin (CVE-2014-1830).
            throw Self.invalidHeader("Proxy-Authorization is not for the origin: set TransportSettings.proxy instead")
        default: break
        }
        try Self.appendLine(of: field, to: &output)
    }

    /// Appends the fields that the transport adds.
    func appendAdditions(
        _ additions: RequestHead.Additions,
        removed: Set<HTTPField.Name>,
        to output: inout ByteWriter
    ) {
        if !hasUserAgent, !removed.contains(.userAgent) { output.append(additions.userAgentLine) }
        if !hasAccept, !removed.contains(.accept) { output.append("Accept: */*\r\n") }
        if let value = additions.proxyAuthorization { output.append("Proxy-Authorization: \(value)\r\n" as String) }
        if let contentLength { output.append("Content-Length: \(contentLength)\r\n" as String) }
        if additions.isChunked { output.append("Transfer-Encoding: chunked\r\n") }
        if additions.expectsContinue, !hasExpect { output.append("Expect: 100-continue\r\n") }
    }

    private mutating func takeHost(_ field: HTTPField) throws(SwiftyError) {
        guard hostLine == nil else { throw Self.invalidHeader("a request has one Host field") }
        guard HostName.isHostField(field.value) else {
            throw Self.invalidHeader("the value of Host is not a host with an optional port")
        }
        hostLine = try ByteWriter.withScratch { output throws(SwiftyError) in
            try Self.appendLine(of: field, to: &output)
            return output.finish()
        }
    }

    /// A request may contain the length of its content if it is correct.
    private func checkLength(_ field: HTTPField) throws(SwiftyError) {
        guard field.value == String(contentLength ?? 0) else {
            throw Self.invalidHeader("Content-Length is not the length of the content")
        }
    }

    private static func appendLine(of field: HTTPField, to output: inout ByteWriter) throws(SwiftyError) {
        let name = field.name.rawName
        guard output.appendToken(name) else {
            throw Self.invalidHeader("the header field's name \"\(name)\" is not a token")
        }
        output.append(.colon)
        output.append(.space)
        let isValid = field.withUnsafeBytesOfValue { value in
            output.append(UnsafeRawBufferPointer(value))
            return value.baseAddress.map { ccurl_is_field_value($0, value.count) } ?? true
        }
        guard isValid else { throw Self.invalidHeader("the value of \(name) contains a control character") }
        output.append(.carriageReturn)
        output.append(.lineFeed)
    }

    private static func invalidHeader(_ reason: String) -> SwiftyError {
        SwiftyError(.invalidHeader, stage: .building, reason: reason)
    }
}

extension ByteWriter {
    /// Appends a string. Returns whether it is a token (RFC 9110 §5.6.2).
    fileprivate mutating func appendToken(_ text: String) -> Bool {
        let isToken = text.utf8.withContiguousStorageIfAvailable { bytes in
            append(UnsafeRawBufferPointer(bytes))
            return ccurl_is_token(bytes.baseAddress, bytes.count)
        }
        if let isToken { return isToken }
        append(Array(text.utf8))
        return text.utf8.isToken
    }
}
