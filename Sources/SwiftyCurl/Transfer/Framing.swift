// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What the header fields say about where a response ends, and whether they contradict each other.
///
/// Source: RFC 9112 §6.3.
struct Framing {
    private(set) var contentLength: Int?
    private(set) var hasTransferEncoding = false
    /// Whether the line that was checked last is one of the two that frame the response.
    private(set) var isLastLineFraming = false

    /// Content-Length together with Transfer-Encoding is how responses are smuggled.
    var conflict: HeadCollector.Flaw? {
        guard hasTransferEncoding, contentLength != nil else { return nil }
        return .malformed("the response has both Content-Length and Transfer-Encoding")
    }

    /// Takes a field line and returns what is wrong with it.
    mutating func check(_ line: UnsafeBufferPointer<UInt8>) -> HeadCollector.Flaw? {
        isLastLineFraming = false
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
            return .malformed("a header field of the response has no name")
        }
        if line[colon - 1].isBlank { return .malformed("a header field's name ends in a space") }
        let name = line[..<colon]
        if name.count == 14, name.isEqualIgnoringCase("content-length") {
            return checkLength(line[(colon + 1)...].trimmingBlanks())
        }
        if name.count == 17, name.isEqualIgnoringCase("transfer-encoding") {
            hasTransferEncoding = true
            isLastLineFraming = true
        }
        return nil
    }

    private mutating func checkLength(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> HeadCollector.Flaw? {
        isLastLineFraming = true
        guard let length = Self.decimal(value) else {
            return .malformed("the response's Content-Length is not a number")
        }
        if let contentLength, contentLength != length {
            return .malformed("the response has two different Content-Length fields")
        }
        contentLength = length
        return nil
    }

    private static func decimal(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard (1...18).contains(digits.count), digits.allSatisfy(\.isDigit) else { return nil }
        return digits.reduce(0) { $0 &* 10 &+ Int($1 &- .zero) }
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Compares with a text of lower-case letters and hyphens.
    fileprivate func isEqualIgnoringCase(_ text: StaticString) -> Bool {
        elementsEqual(text.withUTF8Buffer { $0 }) { $0 | 0x20 == $1 }
    }
}
