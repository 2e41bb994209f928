// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The name of a parameter of a nested value, such as `filter[name]`.
enum ParameterName {
    /// The parts of a name: `a`, `b` and `c` for `a[b][c]`. The brackets of an array's element, `[]`, at the end are no
    /// part. A name whose brackets do not match is one part.
    static func parts(of name: String, nesting: QueryEncoding.NestingStyle) -> [String] {
        switch nesting {
        case .brackets: bracketed(name[...])
        case .dots:
            name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
                .flatMap { bracketed(Substring($0)) }
        }
    }

    private static func bracketed(_ name: Substring) -> [String] {
        let bytes = name.utf8
        guard bytes.last == UInt8(ascii: "]"), let start = bytes.firstIndex(of: UInt8(ascii: "[")),
            start > bytes.startIndex, let parts = partsInBrackets(bytes[start...])
        else { return [String(name)] }
        return [String(name[..<start])] + (parts.last?.isEmpty == true ? parts.dropLast() : parts)
    }

    /// The parts of `[b][]`; `nil` if something is outside of brackets, or brackets are inside of brackets.
    private static func partsInBrackets(_ text: Substring.UTF8View) -> [String]? {
        var parts: [String] = []
        var rest = text
        while let first = rest.popFirst() {
            guard first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let part = rest[..<end]
            guard !part.contains(UInt8(ascii: "[")) else { return nil }
            parts.append(String(Substring(part)))
            rest = rest[end...].dropFirst()
        }
        return parts
    }
}
