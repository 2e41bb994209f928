// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NetworkResponse {
    /// The content as UTF-8 text, with malformed bytes replaced by U+FFFD; empty if there is no content.
    public var string: String {
        data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The content as a JSON object, array or scalar; `nil` if it is empty.
    ///
    /// - Throws: ``SwiftyError/Code/decodingFailed``, with head and body, if the content is not JSON.
    public func json(options: JSONSerialization.ReadingOptions = []) throws(SwiftyError) -> Any? {
        guard let data else { return nil }
        do {
            return try JSONSerialization.jsonObject(with: data, options: options.union(.fragmentsAllowed))
        } catch {
            throw decodingError(.decodingFailed, "the content is not JSON", error)
        }
    }

    /// Decodes the content as a value. If the type is optional, the value of empty content is `nil`.
    ///
    /// - Throws: ``SwiftyError/Code/decodingFailed`` if the content is not such a value, or
    ///   ``SwiftyError/Code/emptyResponse`` without content, with head and body.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        decoder: JSONDecoder = JSONDecoder()
    ) throws(SwiftyError) -> Value {
        guard let data else {
            if let none = (Value.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Value {
                return none
            }
            throw decodingError(.emptyResponse, "the response has no content to decode as \(Value.self)", nil)
        }
        do {
            return try decoder.decode(Value.self, from: data)
        } catch {
            let explanation = Self.explanation(of: error)
            throw decodingError(.decodingFailed, "the content is not \(Value.self): \(explanation)", error)
        }
    }

    private func decodingError(_ code: SwiftyError.Code, _ reason: String, _ underlying: (any Error)?) -> SwiftyError {
        var error = SwiftyError(code, stage: .decoding, sent: .responded, reason: reason, underlying: underlying)
        error.request = summary
        error.head = head
        error.body = data
        error.metrics = metrics
        return error
    }

    /// The place in the content where the decoder stopped, without the content itself.
    static func explanation(of error: any Error) -> String {
        guard let error = error as? DecodingError else { return String(describing: error) }
        switch error {
        case .keyNotFound(let key, let context): return "no value for \"\(key.stringValue)\"\(path(context))"
        case .valueNotFound(let type, let context): return "null instead of \(type)\(path(context))"
        case .typeMismatch(let type, let context): return "not a \(type)\(path(context))"
        case .dataCorrupted(let context): return "\(context.debugDescription)\(path(context))"
        @unknown default: return String(describing: error)
        }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        if context.codingPath.isEmpty { return "" }
        return " at "
            + context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    }
}
