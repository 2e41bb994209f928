// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension NetworkRequest {
    /// Fails if the request must not be sent to any server: the rules of every transport, for those that do not write
    /// HTTP themselves.
    ///
    /// - The method is a token, and not CONNECT.
    /// - HEAD has no content.
    /// - The length of the content is not negative.
    /// - The fields are valid, and none of them frames the message or belongs to the proxy. `Content-Length` may have
    ///   the length of the content, and there is at most one `Host`.
    ///
    /// - Throws: ``SwiftyError`` of the stage `building`, with nothing sent.
    public func checkMessage() throws(SwiftyError) {
        try checkMethodAndContent()
        for field in headers { try check(field) }
        guard headers[fields: .host].count < 2 else { throw Self.invalidHeader("a request has one Host field") }
    }

    /// The rules of ``checkMessage()`` that are not about fields.
    package func checkMethodAndContent() throws(SwiftyError) {
        guard method.rawValue.utf8.isToken, method != .connect else {
            throw SwiftyError(.invalidMethod, stage: .building, reason: "the method cannot be sent")
        }
        guard method != .head || content.isNone else {
            throw SwiftyError(.contentNotAllowed, stage: .building, reason: "a HEAD request has no content")
        }
        guard content.length ?? 0 >= 0 else {
            throw SwiftyError(.contentUnreadable, stage: .building, reason: "the length of the content is negative")
        }
    }

    private func check(_ field: HTTPField) throws(SwiftyError) {
        switch field.name {
        case .contentLength:
            guard field.value == String(content.length ?? 0) else {
                throw Self.invalidHeader("Content-Length is not the length of the content")
            }
        case .transferEncoding:
            throw Self.invalidHeader("Transfer-Encoding is set by the transport, not by the request")
        case .proxyAuthorization:
            // The field would reach the origin (CVE-2014-1830).
            throw Self.invalidHeader("Proxy-Authorization is not for the origin: set TransportSettings.proxy instead")
        default:
            guard HTTPField.isValidValue(field.value) else {
                throw Self.invalidHeader("the value of \(field.name.rawName) contains a control character")
            }
        }
    }

    private static func invalidHeader(_ reason: String) -> SwiftyError {
        SwiftyError(.invalidHeader, stage: .building, reason: reason)
    }
}
