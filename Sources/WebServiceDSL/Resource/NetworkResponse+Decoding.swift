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
            return try TextDecoding.text(data, contentType: head?.headers[.contentType])
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
            let json = try Self.json(data, head?.headers[.contentType])
            return try JSONSerialization.jsonObject(with: json, options: options.union(.fragmentsAllowed))
        } catch {
            throw decodingError(.decodingFailed, reason: "the content is not JSON", underlying: error)
        }
    }

    /// Decodes the content as a value. If the type is optional, the value of empty content is `nil`. A `String` of a
    /// media type other than JSON is the text itself, as in ``text()``.
    ///
    /// - Parameter decoder: The decoder; that of the ``WebService`` if `nil`.
    /// - Throws: ``SwiftyError/Code/decodingFailed`` if the content is not such a value, or
    ///   ``SwiftyError/Code/emptyResponse`` without content, with head and content.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        decoder: JSONDecoder? = nil
    ) throws(SwiftyError) -> Value {
        guard let data else {
            if let none = (Value.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Value {
                return none
            }
            throw decodingError(.emptyResponse, reason: "the response has no content to decode as \(Value.self)")
        }
        let contentType = head?.headers[.contentType]
        if Value.self == String.self, let contentType, !MediaType.isJSON(contentType), let text = try text() as? Value {
            return text
        }
        do {
            let decoder = decoder ?? (draft?.coding ?? .standard).decoder
            return try decoder.decode(Value.self, from: Self.json(data, contentType))
        } catch let error as SwiftyError {
            throw decodingError(error.code, reason: error.reason)
        } catch {
            throw completing(.undecodable("the content is not \(Value.self)", error, in: data))
        }
    }

    /// JSON is UTF-8 (RFC 8259 §8.1); a server that names another charset sends it in that one.
    private static func json(_ data: Data, _ contentType: String?) throws(SwiftyError) -> Data {
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

extension SwiftyError {
    /// The error of content that a decoder does not accept.
    ///
    /// - Parameters:
    ///   - fact: What the content is not; the position where the decoder stopped follows it.
    ///   - content: The content; `nil` if it is not at hand.
    static func undecodable(_ fact: String, _ cause: any Error, in content: Data? = nil) -> SwiftyError {
        SwiftyError(
            .decodingFailed,
            stage: .decoding,
            sent: .responded,
            reason: "\(fact): \(explanation(of: cause))\(content.flatMap { otherStyle(of: cause, in: $0) } ?? "")",
            underlying: cause
        )
    }

    /// The position in the content where the decoder stopped, without the content itself.
    private static func explanation(of error: any Error) -> String {
        guard let error = error as? DecodingError else { return String(describing: error) }
        switch error {
        case .keyNotFound(let key, let context): return "no value for \"\(key.stringValue)\"\(path(context))"
        case .valueNotFound(let type, let context): return "null instead of \(type)\(path(context))"
        case .typeMismatch(let type, let context): return "not a \(type)\(path(context))"
        case .dataCorrupted(let context): return "\(context.debugDescription)\(path(context))"
        @unknown default: return String(describing: error)
        }
    }

    /// What to do if the content has the missing name in snake case; `nil` if it does not.
    private static func otherStyle(of error: any Error, in content: Data) -> String? {
        guard case .keyNotFound(let key, _)? = error as? DecodingError else { return nil }
        let name = QueryEncoding.KeyStyle.snakeCase.text(of: key.stringValue)
        guard name != key.stringValue, content.firstRange(of: Data("\"\(name)\"".utf8)) != nil else { return nil }
        return ", but one for \"\(name)\" (a service with the keyStyle .snakeCase reads it)"
    }

    private static func path(_ context: DecodingError.Context) -> String {
        if context.codingPath.isEmpty { return "" }
        return " at "
            + context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    }
}
