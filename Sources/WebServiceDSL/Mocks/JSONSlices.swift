// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// Finds the members of a JSON object, or the elements of an array, as they are written, so that the content keeps its
/// numbers and its spaces.
///
/// The text must be valid JSON: it is not checked again.
package struct JSONSlices {
    package struct Member {
        package let name: String
        /// The value, without spaces around it.
        package let value: ArraySlice<UInt8>
        /// The 1-based number of the line on which it begins.
        package let line: Int
    }

    /// Whether the text is an array.
    package let isArray: Bool
    /// The members in their order. Elements of an array have no names.
    package let members: [Member]

    /// - Parameter line: The number of the first line.
    package init(_ text: ArraySlice<UInt8>, line: Int = 1) {
        var scanner = Scanner(rest: text, line: line)
        scanner.skipSpaces()
        isArray = scanner.rest.first == UInt8(ascii: "[")
        guard isArray || scanner.rest.first == UInt8(ascii: "{") else {
            members = []
            return
        }
        scanner.skip(1)
        var members: [Member] = []
        while let member = scanner.nextMember(isNamed: !isArray) { members.append(member) }
        self.members = members
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>
        var line: Int

        mutating func skip(_ count: Int) {
            line += rest.prefix(count).count { $0 == .lineFeed }
            rest = rest.dropFirst(count)
        }

        mutating func skipSpaces() {
            skip(rest.prefix { $0.isSpaceTabOrLineEnd }.count)
        }

        mutating func nextMember(isNamed: Bool) -> Member? {
            skipSpaces()
            if rest.first == .comma { skip(1) }
            skipSpaces()
            guard let first = rest.first, first != UInt8(ascii: "]"), first != UInt8(ascii: "}") else { return nil }
            var name = ""
            if isNamed {
                name = String(decoding: takeValue().dropFirst().dropLast(), as: UTF8.self)
                skipSpaces()
                skip(1)
                skipSpaces()
            }
            let line = line
            return Member(name: name, value: takeValue(), line: line)
        }

        /// Takes a whole value, with the values nested in it.
        private mutating func takeValue() -> ArraySlice<UInt8> {
            var (index, depth, isString) = (rest.startIndex, 0, false)
            loop: while index < rest.endIndex {
                let byte = rest[index]
                if isString {
                    if byte == .backslash { index += 1 }
                    if byte == .quote { isString = false }
                } else {
                    switch byte {
                    case .quote: isString = true
                    case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                    case .comma where depth == 0: break loop
                    case .colon where depth == 0: break loop
                    case UInt8(ascii: "]"), UInt8(ascii: "}"):
                        if depth == 0 { break loop }
                        depth -= 1
                    default: break
                    }
                }
                index += 1
            }
            let value = rest[..<min(index, rest.endIndex)].trimmingSpacesTabsAndLineEnds()
            skip(value.count)
            return value
        }
    }
}
