// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A JSON value that keeps the order of members and the digits of numbers.
///
/// The encoder for all JSON that the command prints or sends.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case integer(Int)
    case string(String)
    case array([JSONValue])
    case object([Member])
    /// Text that is known to be JSON.
    case verbatim(String)

    struct Member: Equatable {
        let name: String
        let value: JSONValue
    }

    /// An object; members with the value `nil` are left out.
    static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// A string, or null.
    static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    /// A number, or null.
    static func optional(_ number: Int?) -> JSONValue { number.map(JSONValue.integer) ?? .null }

    /// A duration in seconds, to the microsecond.
    static func seconds(_ duration: Duration) -> JSONValue {
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

extension JSONValue {
    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let number): bytes += Self.text(of: number).utf8
        case .integer(let number): bytes += String(number).utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let values): Self.write(values, opening: "[", closing: "]", to: &bytes) { $0.write(to: &$1) }
        case .object(let members): Self.write(members, opening: "{", closing: "}", to: &bytes, write: Self.write)
        case .verbatim(let text): bytes += text.utf8
        }
    }

    private static func write(_ member: Member, to bytes: inout [UInt8]) {
        write(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
    }

    private static func write<Element>(
        _ elements: [Element],
        opening: String,
        closing: String,
        to bytes: inout [UInt8],
        write: (Element, inout [UInt8]) -> Void
    ) {
        bytes += opening.utf8
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(element, &bytes)
        }
        bytes += closing.utf8
    }

    /// A number as JSON: whole numbers have no fraction, infinities and NaN are null.
    private static func text(of number: Double) -> String {
        guard number.isFinite else { return "null" }
        if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
        return "\(number)"
    }

    /// Also escapes characters that could control a terminal.
    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += #"\""#.utf8
            case "\\": bytes += #"\\"#.utf8
            case "\n": bytes += #"\n"#.utf8
            case "\r": bytes += #"\r"#.utf8
            case "\t": bytes += #"\t"#.utf8
            case _ where VisibleText.isHidden(scalar):
                let digits = String(scalar.value, radix: 16)
                bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
            case _ where scalar.isASCII: bytes.append(UInt8(ascii: scalar))
            default: bytes += scalar.utf8
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
