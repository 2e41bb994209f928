// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftySupport
import SwiftyTransport

/// The end of a response as its header fields define it, and whether they contradict each other.
///
/// Source: RFC 9112 §6.3.
struct Framing {
    private typealias Text = Slice<UnsafeBufferPointer<UInt8>>

    private let isLenient: Bool
    private(set) var contentLength: Int?
    private(set) var isChunked = false
    private var hasTransferEncoding = false
    /// Whether the last line frames the response.
    private(set) var isLastLineFraming = false
    /// Whether lenient rules accepted something that another reader may understand differently.
    private(set) var isAmbiguous = false
    /// The options of the `Connection` field: the connection ends after the response, or it does not although the
    /// version is HTTP/1.0.
    private var hasClose = false
    private var isLastLineConnection = false
    private var hasKeepAlive = false
    private(set) var keepAlive = KeepAliveHint()

    init(strictness: TransportSettings.Responses.Strictness) {
        isLenient = strictness == .lenient
    }

    /// Processes a field line and returns its error.
    mutating func check(_ line: UnsafeBufferPointer<UInt8>) -> ResponseError? {
        isLastLineFraming = false
        isLastLineConnection = false
        let length = line.baseAddress.map { ccurl_name_length($0, line.count) } ?? -1
        guard length > 0 else { return .malformed("a header field of the response has no name") }
        let name = line[..<length]
        guard ccurl_is_token(line.baseAddress, length) else { return checkSpacedName(name) }
        switch length {
        case 10 where name.isEqualIgnoringCase("connection"): noteOptions(line[(length + 1)...])
        case 10 where name.isEqualIgnoringCase("keep-alive"): keepAlive.note(line[(length + 1)...])
        case 14 where name.isContentLength: return checkLength(line[(length + 1)...].trimmingSpacesTabsAndLineEnds())
        case 17 where name.isTransferEncoding: return checkCoding(line[(length + 1)...].trimmingSpacesTabsAndLineEnds())
        default: break
        }
        return nil
    }

    /// Processes a line of the trailers, which frame nothing, and returns its error.
    mutating func checkTrailer(_ line: UnsafeBufferPointer<UInt8>) -> ResponseError? {
        guard let colon = line.firstIndex(of: .colon) else {
            return .malformed("a trailer of the response has no colon")
        }
        return line[..<colon].isToken ? nil : checkSpacedName(line[..<colon])
    }

    /// A name is a token (RFC 9110 §5.1). Lenient rules allow spaces after it, unless the field frames the message,
    /// because another reader may not recognise it in that form.
    private mutating func checkSpacedName(_ spacedName: Text) -> ResponseError? {
        let name = spacedName.trimmingSpacesTabsAndLineEnds()
        guard name.isToken, name.startIndex == spacedName.startIndex else {
            return .malformed("the name of a field of the response is not a token")
        }
        if name.isContentLength || name.isTransferEncoding {
            return .malformed("a field that frames the response has a space before its colon")
        }
        return acceptDeviation("the name of a field of the response ends in a space")
    }

    /// Records the options of a `Connection` field (RFC 9110 §7.6.1).
    private mutating func noteOptions(_ value: Text) {
        isLastLineConnection = true
        var rest = value
        // Most responses have this field. `split` would allocate an array.
        while !rest.isEmpty {
            let option = rest.prefix { $0 != UInt8(ascii: ",") }
            rest = rest[option.endIndex...].dropFirst()
            note(option.trimmingSpacesTabsAndLineEnds())
        }
    }

    private mutating func note(_ option: Text) {
        if option.isEqualIgnoringCase("close") { hasClose = true }
        if option.isEqualIgnoringCase("keep-alive") { hasKeepAlive = true }
    }

    /// The last line is continued. The options in a folded line are not parsed, and one of them may be `close`.
    mutating func noteFold() {
        if isLastLineConnection { hasClose = true }
    }

    /// Whether the connection persists after the response (RFC 9112 §9.3).
    func isPersistent(_ version: ResponseHead.HTTPVersion) -> Bool {
        !hasClose && (version != .http1_0 || hasKeepAlive)
    }

    /// Checks the combination of all fields, after the last one.
    mutating func end(_ version: ResponseHead.HTTPVersion) -> ResponseError? {
        guard hasTransferEncoding else { return nil }
        if contentLength != nil,
            let error = acceptDeviation("the response has both Content-Length and Transfer-Encoding")
        {
            return error
        }
        if isChunked { contentLength = nil }
        return version == .http1_0 ? acceptDeviation("an HTTP/1.0 response has a Transfer-Encoding") : nil
    }

    private mutating func checkLength(_ value: Text) -> ResponseError? {
        isLastLineFraming = true
        guard let length = Self.decimal(value) ?? repeated(value) else {
            return .malformed("the response's Content-Length is not a number")
        }
        if let contentLength, contentLength != length {
            return .malformed("the response has two different Content-Length fields")
        }
        contentLength = length
        return nil
    }

    private mutating func checkCoding(_ value: Text) -> ResponseError? {
        let isFirst = !hasTransferEncoding
        isLastLineFraming = true
        hasTransferEncoding = true
        if isFirst, value.isEqualIgnoringCase("chunked") {
            isChunked = true
            return nil
        }
        let reason = "the response's Transfer-Encoding is not chunked"
        return isFirst && value.isEqualIgnoringCase("identity") ? acceptDeviation(reason) : .malformed(reason)
    }

    /// Accepts a deviation by lenient rules; returns an error by strict ones.
    private mutating func acceptDeviation(_ reason: String) -> ResponseError? {
        isAmbiguous = true
        return isLenient ? nil : .malformed(reason)
    }

    /// The number that is repeated in a list such as `3, 3`: two fields joined by an intermediary.
    private mutating func repeated(_ value: Text) -> Int? {
        let parts = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let numbers = parts.map { Self.decimal($0.trimmingSpacesTabsAndLineEnds()) }
        guard isLenient, let first = numbers.first, numbers.allSatisfy({ $0 == first }) else { return nil }
        isAmbiguous = true
        return first
    }

    /// `1*DIGIT`; leading zeros change nothing (RFC 9110 §8.6). Lengths of more than eighteen digits are invalid.
    private static func decimal(_ text: Text) -> Int? {
        let digits = text.drop { $0 == .digitZero }
        guard text.isDecimal, digits.count <= 18 else { return nil }
        return digits.reduce(0) { $0 &* 10 &+ Int($1 &- .digitZero) }
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    fileprivate var isContentLength: Bool { count == 14 && isEqualIgnoringCase("content-length") }
    fileprivate var isTransferEncoding: Bool { count == 17 && isEqualIgnoringCase("transfer-encoding") }

    /// Compares with a string of lower-case letters and hyphens.
    fileprivate func isEqualIgnoringCase(_ text: StaticString) -> Bool {
        elementsEqual(text.withUTF8Buffer { $0 }) { $0 | 0x20 == $1 }
    }
}
