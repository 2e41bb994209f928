// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The directives of the `Cache-Control` fields of a message (RFC 9111 §5.2).
struct CacheDirectives: Equatable {
    /// The argument of a directive that is a number of seconds.
    enum Seconds: Equatable {
        case absent
        /// Not a number, or several different ones.
        case invalid
        case value(Double)
    }

    /// The arguments by the name of the directive, in lower case.
    private var arguments: [String: [String?]] = [:]

    init(_ headers: HTTPFields) {
        for value in headers[values: .cacheControl] { add(value) }
    }

    private mutating func add(_ value: String) {
        var scanner = FieldValueScanner(value)
        while scanner.skipListSeparators() {
            let name = String(decoding: scanner.take { $0.isTokenByte }, as: UTF8.self).lowercased()
            var argument: String?
            if scanner.skip(.equalsSign) {
                let bytes = scanner.next == .quote ? scanner.quotedString() : Array(scanner.take { $0 != .comma })
                argument = bytes.map { String(decoding: $0.trimmingSpacesAndTabs(), as: UTF8.self) }
            }
            arguments[name, default: []].append(argument)
            // What does not belong to the grammar ends with its element.
            scanner.take { $0 != .comma }
        }
    }

    /// Whether there is a directive of this name, with or without an argument.
    func contains(_ name: String) -> Bool { arguments[name] != nil }

    /// The number of seconds of a directive. Numbers beyond 2³¹ count as 2³¹ (RFC 9111 §1.2.2).
    func seconds(_ name: String) -> Seconds {
        guard let values = arguments[name] else { return .absent }
        let numbers = Set(values.map(Self.seconds))
        guard numbers.count == 1, let number = numbers.first ?? nil else { return .invalid }
        return .value(number)
    }

    private static func seconds(_ argument: String?) -> Double? {
        guard let argument, !argument.isEmpty, argument.utf8.isDecimal else { return nil }
        return min(Double(argument) ?? 0x1p31, 0x1p31)
    }
}

extension CacheDirectives.Seconds {
    /// The number; `nil` if the argument is absent or invalid.
    var number: Double? { if case .value(let number) = self { number } else { nil } }
}
