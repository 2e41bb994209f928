// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftySupport

extension ModifiableResource {
    /// Sets a header field, and replaces every field of that name in any case: `.header("X-Trace", id)`.
    ///
    /// - Parameters:
    ///   - name: The field name, a token (RFC 9110 §5.1).
    ///   - value: The field value; spaces and tabs around it are removed. `nil` removes the field, as
    ///     ``removeHeader(_:)-(String)`` does. A control character fails the load with
    ///     ``SwiftyError/Code/invalidHeader``.
    @discardableResult
    public func header(_ name: String, _ value: String?) -> Self {
        guard let value else { return removeHeader(name) }
        return modify { $0.setHeader(name, value, replacing: true) }
    }

    /// Sets a header field by its typed name: `.header(.ifNoneMatch, etag)`; see ``header(_:_:)-(String,_)``.
    @discardableResult
    public func header(_ name: HTTPField.Name, _ value: String?) -> Self {
        guard let value else { return removeHeader(name) }
        return modify { $0.setHeader(name, value, replacing: true) }
    }

    /// Sets a header field to a date, to the second: `.header(.ifModifiedSince, date: copy.changed)` (RFC 9110 §5.6.7).
    @discardableResult
    public func header(_ name: HTTPField.Name, date: Date) -> Self {
        header(name, date.httpText)
    }

    /// Sets several header fields, each like ``header(_:_:)-(String,_)``. A request has at most 60,000; others fail the
    /// load with ``SwiftyError/Code/invalidHeader``.
    @discardableResult
    public func headers(_ headers: [String: String]) -> Self {
        modify { $0.setHeaders(headers) }
    }

    /// Adds a header field and keeps those of the same name, for fields that may repeat, such as `Accept-Language`.
    @discardableResult
    public func addHeader(_ name: String, _ value: String) -> Self {
        modify { $0.setHeader(name, value, replacing: false) }
    }

    /// Adds a header field by its typed name and keeps those of the same name.
    @discardableResult
    public func addHeader(_ name: HTTPField.Name, _ value: String) -> Self {
        modify { $0.setHeader(name, value, replacing: false) }
    }

    /// Removes every header field of a name, in any case.
    ///
    /// It removes fields that the API's `configure`, another modifier or an earlier interceptor has set, including the
    /// content's `Content-Type` and the key of ``idempotencyKey(_:)``. It also excludes the default fields of the
    /// network interface, and `User-Agent` and `Accept` of its transport. A field that is set afterwards is sent.
    /// `Host` and the fields of the framing stay. A name that is not a token fails the load with
    /// ``SwiftyError/Code/invalidHeader``.
    @discardableResult
    public func removeHeader(_ name: String) -> Self {
        modify { $0.removeHeader(name) }
    }

    /// Removes every header field of a typed name: `.removeHeader(.userAgent)`; see ``removeHeader(_:)-(String)``.
    @discardableResult
    public func removeHeader(_ name: HTTPField.Name) -> Self {
        modify { $0.removeHeader(name) }
    }

    /// Sets `Content-Type` (RFC 9110 §8.3), in place of the content modifier's.
    @discardableResult
    public func contentType(_ mediaType: String) -> Self {
        header(.contentType, mediaType)
    }

    /// Sets `Accept` (RFC 9110 §12.5.1): `.accept("application/json")`.
    @discardableResult
    public func accept(_ mediaTypes: String...) -> Self {
        header(.accept, mediaTypes.joined(separator: ", "))
    }

    /// Sets `Authorization` to Basic credentials (RFC 7617), in UTF-8.
    ///
    /// They are sent with the first request, and can be read in transit unless the URL is `https`. A colon in the
    /// user name fails the load with ``SwiftyError/Code/invalidHeader``.
    @discardableResult
    public func basic(_ username: String, _ password: String) -> Self {
        if username.contains(":") {
            return modify { $0.fail(.invalidHeader, "a user name with a colon cannot be sent as Basic credentials") }
        }
        let credentials = Data("\(username):\(password)".utf8).base64EncodedString()
        return header(.authorization, "Basic \(credentials)")
    }

    /// Sets `Authorization` to a bearer token (RFC 6750).
    ///
    /// An empty token, or one with other than visible ASCII characters, fails the load with
    /// ``SwiftyError/Code/invalidHeader``: a server would find no token, or another one.
    @discardableResult
    public func bearer(_ token: String) -> Self {
        if !token.utf8.isVisibleASCII {
            return modify { $0.fail(.invalidHeader, "the bearer token is not made of visible ASCII characters") }
        }
        return header(.authorization, "Bearer \(token)")
    }
}

extension RequestDraft {
    mutating func setHeader(_ name: String, _ value: String, replacing: Bool) {
        if let name = parseFieldName(name) { setHeader(name, value, replacing: replacing) }
    }

    /// Parses a field name; `nil`, and an error of the draft, if it is not a token.
    fileprivate mutating func parseFieldName(_ key: String) -> HTTPField.Name? {
        if let name = HTTPField.Name.common(key) ?? HTTPField.Name(key) { return name }
        fail(.invalidHeader, "the header name \"\(Redaction.oneLine(key))\" is not a token")
        return nil
    }

    mutating func setHeader(_ name: HTTPField.Name, _ value: String, replacing: Bool) {
        guard hasRoom(forHeaders: 1), let field = makeField(name, value) else { return }
        if replacing { headers.replace(with: field) } else { headers.add(field) }
    }

    /// Sets several header fields, in the order of their names.
    mutating func setHeaders(_ others: [String: String]) {
        let sorted = others.sorted { $0.key < $1.key }
        // Few fields are found faster by a search than by hashing.
        if sorted.count < 32 {
            for (name, value) in sorted { setHeader(name, value, replacing: true) }
        } else if hasRoom(forHeaders: sorted.count) {
            headers.replace(with: sorted.compactMap { makeField($0.key, $0.value) })
        }
    }

    /// Whether so many fields can be added: HTTPTypes traps when a collection gets its 65,536th field. Otherwise, the
    /// draft fails.
    private mutating func hasRoom(forHeaders count: Int) -> Bool {
        let limit = 60_000
        if headers.count + count <= limit { return true }
        fail(.invalidHeader, "the request has more than \(limit) header fields")
        return false
    }

    private mutating func makeField(_ name: String, _ value: String) -> HTTPField? {
        parseFieldName(name).flatMap { makeField($0, value) }
    }

    /// The field, without the spaces and tabs around its value; `nil`, and an error of the draft, if the value cannot
    /// be sent.
    private mutating func makeField(_ name: HTTPField.Name, _ value: String) -> HTTPField? {
        if let field = Self.field(name, value) { return field }
        // The value may be a secret, so the message names only the field.
        fail(.invalidHeader, "the value of the header \(name.rawName) contains a control character")
        return nil
    }

    /// Removes the fields of a name, unless it is not a token, which is an error of the draft.
    mutating func removeHeader(_ name: String) {
        if let name = parseFieldName(name) { removeHeader(name) }
    }

    /// Removes the fields of a name, and excludes defaults of that name.
    fileprivate mutating func removeHeader(_ name: HTTPField.Name) {
        headers[name] = nil
        removedHeaders.insert(name)
        if name == .contentType { contentType = nil }
        if name == .idempotencyKey { idempotencyKey = nil }
    }

    /// The field, without the spaces and tabs around its value; `nil` if the value cannot be sent.
    private static func field(_ name: HTTPField.Name, _ value: String) -> HTTPField? {
        // `HTTPField` changes a value that cannot be sent. One that is unchanged needs no second check.
        let field = HTTPField(name: name, value: value)
        if field.value == value { return field }
        let trimmed = String(value.trimmingSpacesAndTabs())
        return HTTPField.isValidValue(trimmed) ? HTTPField(name: name, value: trimmed) : nil
    }
}

extension HTTPField.Name {
    /// The names that most requests set: checking and lowercasing the name costs most of the time of a short field.
    fileprivate static func common(_ text: String) -> HTTPField.Name? {
        let candidate: HTTPField.Name
        switch text.utf8.count {
        case 6: candidate = .accept
        case 10: candidate = .userAgent
        case 12: candidate = .contentType
        case 13: candidate = .authorization
        case 15: candidate = .acceptLanguage
        default: return nil
        }
        return candidate.rawName == text ? candidate : nil
    }
}
