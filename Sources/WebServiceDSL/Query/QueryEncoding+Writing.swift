// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension QueryEncoding {
    /// Writes parameters as `a=1&b=2`.
    func encode(_ parameters: [(name: String, value: QueryValue)]) throws(QueryEncodingError) -> String {
        var pairs: [String] = []
        for (name, value) in parameters {
            try append(value, named: PercentEncoding.encode(name), to: &pairs)
        }
        return pairs.joined(separator: "&")
    }

    private func append(_ value: QueryValue, named name: String, to pairs: inout [String]) throws(QueryEncodingError) {
        switch value {
        case .object(let members):
            for (key, member) in members {
                try append(member, named: nested(PercentEncoding.encode(key), in: name), to: &pairs)
            }
        case .array(let elements):
            try append(elements, named: name, to: &pairs)
        default:
            if let pair = pair(name, scalar(value)) { pairs.append(pair) }
        }
    }

    private func append(
        _ elements: [QueryValue],
        named name: String,
        to pairs: inout [String]
    ) throws(QueryEncodingError) {
        if arrays == .commaSeparated {
            var texts: [String] = []
            for element in elements {
                guard element.isScalar else {
                    throw QueryEncodingError("\(name) holds a collection, which commas cannot separate")
                }
                texts.append(PercentEncoding.encode(scalar(element) ?? ""))
            }
            pairs.append("\(name)=\(texts.joined(separator: ","))")
            return
        }
        for (index, element) in elements.enumerated() {
            try append(element, named: elementName(name, index), to: &pairs)
        }
    }

    private func elementName(_ name: String, _ index: Int) -> String {
        switch arrays {
        case .repeated, .commaSeparated: name
        case .brackets: name + "%5B%5D"
        case .indexed: "\(name)%5B\(index)%5D"
        }
    }

    private func nested(_ key: String, in name: String) -> String {
        switch nesting {
        case .brackets: "\(name)%5B\(key)%5D"
        case .dots: "\(name).\(key)"
        }
    }

    private func pair(_ name: String, _ text: String?) -> String? {
        if let text { return "\(name)=\(PercentEncoding.encode(text))" }
        return switch nils {
        case .omitted: nil
        case .emptyValue: name + "="
        case .nameOnly: name
        }
    }

    private func scalar(_ value: QueryValue) -> String? {
        switch value {
        case .text(let text): text
        case .bool(let flag): bools == .literal ? (flag ? "true" : "false") : (flag ? "1" : "0")
        case .date(let date): write(date)
        case .null, .array, .object: nil
        }
    }

    private func write(_ date: Date) -> String {
        switch dates {
        case .iso8601: return date.formatted(.iso8601)
        case .secondsSince1970: return QueryValue.write(date.timeIntervalSince1970)
        case .millisecondsSince1970: return QueryValue.write((date.timeIntervalSince1970 * 1000).rounded())
        case .custom(let write): return write(date)
        }
    }
}

/// Why a value cannot become query parameters or form fields.
struct QueryEncodingError: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
