// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NetworkResponse {
    /// The content as text; empty if there is no content, and `nil` if it is not text in its charset. See ``text()``.
    public var string: String? {
        try? text()
    }

    /// The content as text; empty if there is no content.
    ///
    /// The charset is that of Content-Type; without one, that of a byte order mark, or else UTF-8. UTF-8, UTF-16,
    /// UTF-32, US-ASCII, ISO-8859-1, ISO-8859-15 and windows-1252 are known, and those that the system's `iconv` knows.
    /// No bytes are replaced, and the mark is left out.
    ///
    /// - Throws: ``SwiftyError/Code/decodingFailed``, with head and content, for bytes that are not text in the
    ///   charset, and for an unknown charset.
    public func text() throws(SwiftyError) -> String {
        guard let data else { return "" }
        do throws(SwiftyError) {
            return try TextDecoding.text(data, contentType: contentType)
        } catch {
            throw completing(error)
        }
    }

    /// The content as a JSON object, array or scalar; `nil` if it is empty.
    ///
    /// - Throws: ``SwiftyError/Code/decodingFailed``, with head and content, if the content is not JSON.
    public func json(options: JSONSerialization.ReadingOptions = []) throws(SwiftyError) -> Any? {
        guard let data else { return nil }
        do {
            let json = try utf8(data)
            return try JSONSerialization.jsonObject(with: json, options: options.union(.fragmentsAllowed))
        } catch {
            throw decodingError(.decodingFailed, reason: "the content is not JSON\(otherType)", underlying: error)
        }
    }

    /// Decodes the content as a value. If the type is optional, the value of empty content is `nil`. A `String` of a
    /// media type other than JSON is the text itself, as in ``text()``.
    ///
    /// - Parameter decoder: The decoder of JSON; the format of the request if `nil`.
    /// - Throws: ``SwiftyError/Code/decodingFailed`` if the content is not such a value, or
    ///   ``SwiftyError/Code/emptyResponse`` without content, with head and content.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        decoder: JSONDecoder? = nil
    ) throws(SwiftyError) -> Value {
        try decode(type, in: decoder.map { JSONFormat(decoder: $0) } ?? (draft?.coding ?? .standard).format)
    }

    /// Decodes the content as a value in a format; see ``decode(_:decoder:)``.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        format: any ContentFormat
    ) throws(SwiftyError) -> Value {
        try decode(type, in: format)
    }

    /// - Parameters:
    ///   - place: The place of the value; `nil` for the whole content.
    ///   - name: What the value is, for errors; the name of its type if `nil`.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        at place: ContentPlace? = nil,
        in format: any ContentFormat,
        as name: String? = nil
    ) throws(SwiftyError) -> Value {
        guard let data else {
            if let none = (Value.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Value {
                return none
            }
            throw decodingError(
                .emptyResponse,
                reason: "the response has no content to decode as \(name ?? "\(Value.self)")"
            )
        }
        if Value.self == String.self, place == nil, isOther(format), let text = try text() as? Value { return text }
        do {
            return try format.decode(type, at: place, from: format is any TextualFormat ? utf8(data) : data)
        } catch let error as SwiftyError {
            throw decodingError(error.code, reason: error.reason)
        } catch {
            let name = name ?? "\(Value.self)"
            let fact = place.map { "the content has no \(name) at \"\($0)\"" } ?? "the content is not \(name)"
            let redactor = draft?.redactor ?? Redactor()
            throw completing(.undecodable(fact + otherType, error, in: data, format: format, redactor: redactor))
        }
    }

    /// Whether a string of the content is its text, although the format is JSON.
    private func isOther(_ format: any ContentFormat) -> Bool {
        guard format is JSONFormat, let contentType else { return false }
        return !MediaType.isJSON(contentType)
    }

    /// The media type, if it is that of a page for people, which many a server sends with a successful status.
    private var otherType: String {
        let type = contentType.map { MediaType.essence(of: $0) } ?? ""
        return ["text/html", "application/xhtml+xml"].contains(type) ? " but \(type)" : ""
    }

    /// JSON is UTF-8 (RFC 8259 §8.1); a server that names another charset sends it in that one.
    private func utf8(_ data: Data) throws(SwiftyError) -> Data {
        guard TextDecoding.isNeeded(for: contentType) else { return data }
        return Data(try TextDecoding.text(data, contentType: contentType).utf8)
    }

    private func decodingError(
        _ code: SwiftyError.Code,
        reason: String,
        underlying: (any Error)? = nil
    ) -> SwiftyError {
        completing(SwiftyError(code, stage: .decoding, sent: .responded, reason: reason, underlying: underlying))
    }
}

extension ContentFormat {
    /// Decodes the value at a place; that of the whole content if the place is `nil`.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        at place: ContentPlace?,
        from content: Data
    ) throws -> Value {
        guard let place else { return try decode(type, from: content) }
        return try place.decode(type, from: content, self)
    }
}
