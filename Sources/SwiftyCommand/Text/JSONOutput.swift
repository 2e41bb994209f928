// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// JSON that the command prints or sends: members keep their order, and numbers their digits.
enum JSONOutput: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case integer(Int)
    case string(String)
    case array([JSONOutput])
    case object([Member])
    /// Text that is known to be JSON.
    case verbatim(String)

    struct Member: Equatable {
        let name: String
        let value: JSONOutput
    }

    /// An object; members with the value `nil` are left out.
    static func members(_ members: KeyValuePairs<String, JSONOutput?>) -> JSONOutput {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    static func optional(_ text: String?) -> JSONOutput { text.map(JSONOutput.string) ?? .null }

    static func optional(_ number: Int?) -> JSONOutput { number.map(JSONOutput.integer) ?? .null }

    /// A duration in seconds, to the microsecond.
    static func seconds(_ duration: Duration) -> JSONOutput {
        let (seconds, attoseconds) = duration.components
        let microseconds = (attoseconds + 500_000_000_000) / 1_000_000_000_000
        return .number((Double(seconds) * 1e6 + Double(microseconds)) / 1e6)
    }

    /// The value on one line, without white space.
    var text: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONOutput {
    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let number): bytes += Self.text(of: number).utf8
        case .integer(let number): bytes += String(number).utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let values):
            bytes += "[".utf8
            for (index, value) in values.enumerated() {
                if index > 0 { bytes += ",".utf8 }
                value.write(to: &bytes)
            }
            bytes += "]".utf8
        case .object(let members):
            bytes += "{".utf8
            for (index, member) in members.enumerated() {
                if index > 0 { bytes += ",".utf8 }
                Self.write(member.name, to: &bytes)
                bytes += ":".utf8
                member.value.write(to: &bytes)
            }
            bytes += "}".utf8
        case .verbatim(let text): bytes += text.utf8
        }
    }

    /// A number as JSON: whole numbers have no fraction, infinities and NaN are null.
    private static func text(of number: Double) -> String {
        guard number.isFinite else { return "null" }
        if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
        return "\(number)"
    }

    /// Also escapes characters that could control a terminal.
    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes += JSONString.encode(text, isEscaped: VisibleText.isHidden)
    }
}
