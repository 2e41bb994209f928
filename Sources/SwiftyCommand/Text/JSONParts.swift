// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The members of a JSON object or the elements of an array, each as text.
enum JSONParts {
    case object([(name: String, text: String)])
    case array([String])

    /// `nil` if the text is not an object or an array.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let tokens = JSONScanner.tokens(of: bytes), case .open(let opening)? = tokens.first?.token else {
            return nil
        }
        var (names, values): ([String], [String]) = ([], [])
        var depth = 0
        var start = 0
        for (token, range) in tokens {
            if case .close = token { depth -= 1 }
            if depth == 1 {
                switch token {
                case .name: names.append(Self.name(bytes[range]))
                case .open: start = range.lowerBound
                case .close: values.append(String(decoding: bytes[start..<range.upperBound], as: UTF8.self))
                case .string, .number, .literal: values.append(String(decoding: bytes[range], as: UTF8.self))
                case .comma, .colon: break
                }
            }
            if case .open = token { depth += 1 }
        }
        self = opening == UInt8(ascii: "{") ? .object(zip(names, values).map { ($0, $1) }) : .array(values)
    }

    /// The name without its quotes and escapes.
    private static func name(_ literal: ArraySlice<UInt8>) -> String {
        let name = try? JSONSerialization.jsonObject(with: Data(literal), options: .fragmentsAllowed)
        return name as? String ?? String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
    }
}
