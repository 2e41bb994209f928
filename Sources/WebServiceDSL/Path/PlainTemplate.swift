// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The fast way to take a path template apart: for what most authors write, in one pass over the bytes.
///
/// There is none for a text that needs a closer look: an escape, a backslash, a byte above ASCII, a segment that starts with
/// a dot, a colon before the first slash, a brace that does not enclose a plain name. ``PathTemplate`` then takes it apart
/// character by character, with the same result or the reason why there is none.
struct PlainTemplate {
    /// The template without its query.
    let path: String
    /// What follows the `?`; empty if there is none.
    private let query: String
    private let hasVariables: Bool

    init?(_ text: String) {
        guard let outline = text.utf8.withContiguousStorageIfAvailable({ Outline($0) }) ?? nil else { return nil }
        hasVariables = outline.hasVariables
        if let mark = outline.mark {
            let mark = text.utf8.index(text.startIndex, offsetBy: mark)
            path = String(text[..<mark])
            query = String(text[text.utf8.index(after: mark)...])
        } else {
            path = text
            query = ""
        }
    }

    /// Path and query with the variables filled in; `nil` if one of these needs a closer look.
    func filled(with variables: PathVariables) -> (path: String, query: String)? {
        guard hasVariables else { return variables.isEmpty ? (path, query) : nil }
        // The only one is used by whatever variable the text has.
        var unused = variables.count == 1 ? [] : Set(variables.keys)
        guard let path = fill(path, variables, &unused), let query = fill(query, variables, &unused), unused.isEmpty
        else { return nil }
        return (path, query)
    }

    private func fill(_ part: String, _ variables: PathVariables, _ unused: inout Set<String>) -> String? {
        var result = ""
        var rest = part[...]
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
            let close = rest.utf8[open...].firstIndex(of: UInt8(ascii: "}"))
        {
            result += rest[..<open]
            let name = String(rest[rest.utf8.index(after: open)..<close])
            guard let value = variables[name]?.description, let first = value.utf8.first,
                first != UInt8(ascii: ".") || !Self.startsSegment(after: result)
            else { return nil }
            result += PercentEncoding.encode(value)
            unused.remove(name)
            rest = rest[rest.utf8.index(after: close)...]
        }
        result += rest
        return result
    }

    private static func startsSegment(after text: String) -> Bool {
        text.isEmpty || text.utf8.last == UInt8(ascii: "/")
    }
}

extension PlainTemplate {
    /// What one pass over the bytes finds.
    private struct Outline {
        /// Where the `?` is.
        private(set) var mark: Int?
        private(set) var hasVariables = false
        private var hasSlash = false
        private var isInName = false

        init?(_ bytes: UnsafeBufferPointer<UInt8>) {
            let unreserved = PercentEncoding.AllowedBytes.unreserved
            for index in bytes.indices {
                let byte = bytes[index]
                if unreserved.contains(byte), byte != UInt8(ascii: ".") { continue }
                // As if a segment began before the text.
                let previous = index == 0 ? UInt8(ascii: "/") : bytes[index - 1]
                guard take(byte, at: index, after: previous) else { return nil }
            }
            if isInName { return nil }
        }

        /// Whether the byte needs no closer look.
        private mutating func take(_ byte: UInt8, at index: Int, after previous: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "{") where !isInName, UInt8(ascii: "}") where isInName:
                isInName.toggle()
                hasVariables = true
                return true
            default:
                return !isInName && takePunctuation(byte, at: index, after: previous)
            }
        }

        private mutating func takePunctuation(_ byte: UInt8, at index: Int, after previous: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "/") where index == 1 && hasSlash: return false
            case UInt8(ascii: "/"): hasSlash = true
            case UInt8(ascii: "?"): mark = mark ?? index
            case UInt8(ascii: "."): return previous != UInt8(ascii: "/")
            case UInt8(ascii: ":"): return hasSlash
            default: return PercentEncoding.AllowedBytes.path.contains(byte)
            }
            return true
        }
    }
}
