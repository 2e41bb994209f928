// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A generated response, after which the connection ends.
struct GeneratedResponse: Sendable {
    /// Whether it is the response to a HEAD.
    var isToHead: Bool
    var bytes: [UInt8]

    /// The bytes as Latin-1.
    var text: String { String(latin1: bytes) }
}

/// Generates valid and invalid HTTP/1 responses, which a seed determines.
///
/// Each part is mostly usual, and sometimes one of the odd forms that readers have disagreed about. Every response has
/// few odd parts, so that each of them decides alone in many responses.
struct ResponseGenerator {
    private var random: SplitMix
    /// The number of odd parts of the present response that are still allowed.
    private var oddities = 0

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
    }

    mutating func next() -> GeneratedResponse {
        oddities = [0, 1, 1, 2].randomElement(using: &random) ?? 0
        var text = isOne(in: 10) ? informational() : ""
        let content = String("abcdefghijklmnop".prefix(Int.random(in: 0...16, using: &random)))
        let (framing, body) = framing(of: content)
        text += line(statusLine())
        let before = Int.random(in: 0...2, using: &random)
        for _ in 0..<before { text += line(field()) }
        for field in framing { text += line(field) }
        if isOne(in: 3) { text += line(field()) }
        text += line("") + body
        if isOne(in: 8) { text += pick(OddParts.excess) }
        return GeneratedResponse(isToHead: isOne(in: 12), bytes: mutate(Array(latin1: text)))
    }
}

extension ResponseGenerator {
    private mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func pick(_ parts: [String]) -> String { parts.randomElement(using: &random) ?? "" }

    /// Whether the next part is odd: one of so many, while the response may have more odd parts.
    private mutating func isOdd(oneIn count: Int) -> Bool {
        guard oddities > 0, isOne(in: count) else { return false }
        oddities -= 1
        return true
    }

    private mutating func line(_ text: String) -> String {
        text + (isOdd(oneIn: 40) ? pick(OddParts.lineEnds) : "\r\n")
    }

    private mutating func informational() -> String {
        let status =
            isOdd(oneIn: 3) ? pick(OddParts.informational) : pick(["100 Continue", "102 Processing", "103 Hints"])
        return line("HTTP/1.1 \(status)") + (isOne(in: 2) ? line(field()) : "") + line("")
    }

    private mutating func statusLine() -> String {
        if isOdd(oneIn: 6) { return pick(OddParts.statusLines) }
        return isOne(in: 4) ? pick(OddParts.otherStatusLines) : "HTTP/1.1 200 OK"
    }

    private mutating func field() -> String {
        pick(isOdd(oneIn: 5) ? OddParts.fields : OddParts.usualFields)
    }

    /// The framing fields and the framed content.
    private mutating func framing(of content: String) -> (fields: [String], content: String) {
        if isOdd(oneIn: 6) { return oddFraming(of: content) }
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return ([], content)
        case 1...3: return (["Content-Length: \(content.utf8.count)"], content)
        default: return (["Transfer-Encoding: chunked"], chunks(content))
        }
    }

    private mutating func oddFraming(of content: String) -> (fields: [String], content: String) {
        let length = "\(content.utf8.count)"
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return ([pick(OddParts.codings)], chunks(content))
        case 1:
            return (
                ["Transfer-Encoding: chunked", "Content-Length: \(length)"].shuffled(using: &random), chunks(content)
            )
        case 2: return (["Content-Length: \(length)", pick(OddParts.lengths(length))], content)
        default: return ([pick(OddParts.lengths(length))], content)
        }
    }

    private mutating func chunks(_ content: String) -> String {
        var text = ""
        var rest = content[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...10, using: &random))
            rest = rest.dropFirst(part.count)
            text += line(size(part.utf8.count)) + line(String(part))
        }
        text += line(size(0))
        while isOne(in: 4) { text += line(field()) }
        return text + line("")
    }

    private mutating func size(_ count: Int) -> String {
        let digits = String(count, radix: 16, uppercase: isOne(in: 2))
        if isOdd(oneIn: 6) { return pick(OddParts.sizes(digits)) }
        return isOne(in: 6) ? digits + pick([";a", ";a=1", ";a=\"b;c\"", ";a;b=c"]) : digits
    }

    /// Changes a few bytes of some responses, and cuts some.
    private mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        if isOdd(oneIn: 4) {
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 0...3, using: &random))
            let bits = UInt8(1 << Int.random(in: 0..<8, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[start] ^= bits
            case 1: bytes.removeSubrange(start..<end)
            case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
            default: bytes.insert(contentsOf: Array(latin1: pick(OddParts.insertions)), at: start)
            }
        }
        return isOne(in: 16) ? Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))) : bytes
    }
}

extension String {
    init(latin1 bytes: some Sequence<UInt8>) {
        self.init(decoding: bytes.map(UInt16.init), as: UTF16.self)
    }
}

extension [UInt8] {
    init(latin1 text: String) {
        self = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
}
