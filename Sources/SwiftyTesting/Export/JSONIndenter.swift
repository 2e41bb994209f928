// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data
import class Foundation.JSONSerialization

/// Writes JSON with a line for each member and element. Numbers, strings and the order of members are unchanged.
struct JSONIndenter {
    private var result: [UInt8] = []
    private var depth = 0

    /// The indented text; `nil` if this is not JSON, or already has several lines.
    static func indent(_ json: Data) -> Data? {
        guard !json.contains(.lineFeed), (try? JSONSerialization.jsonObject(with: json)) != nil else { return nil }
        var indenter = JSONIndenter()
        indenter.write(Array(json)[...])
        return Data(indenter.result)
    }

    private mutating func write(_ json: ArraySlice<UInt8>) {
        var rest = json
        while let byte = rest.popFirst() {
            switch byte {
            case .quote: takeText(&rest)
            case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte, &rest)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                breakLine()
                result.append(byte)
            case .comma:
                result.append(byte)
                breakLine()
            case .colon: result += [byte, .space]
            default: if !byte.isSpaceTabOrLineEnd { result.append(byte) }
            }
        }
    }

    /// Begins an object or an array; an empty one stays on its line.
    private mutating func open(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) {
        result.append(byte)
        rest = rest.drop { $0.isSpaceTabOrLineEnd }
        if let end = rest.first, end == UInt8(ascii: "}") || end == UInt8(ascii: "]") {
            result.append(end)
            rest.removeFirst()
        } else {
            depth += 1
            breakLine()
        }
    }

    private mutating func takeText(_ rest: inout ArraySlice<UInt8>) {
        result.append(.quote)
        while let byte = rest.popFirst() {
            result.append(byte)
            if byte == .backslash, let escaped = rest.popFirst() { result.append(escaped) }
            if byte == .quote { return }
        }
    }

    private mutating func breakLine() {
        result.append(.lineFeed)
        result += repeatElement(.space, count: 2 * depth)
    }
}
