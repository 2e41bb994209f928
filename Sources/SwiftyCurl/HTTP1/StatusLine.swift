// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import SwiftyTransport

/// The first line of a response (RFC 9112 §4). For HTTP/2, it is made from the status (RFC 9113 §8.3.2).
struct StatusLine: Equatable {
    let version: ResponseHead.HTTPVersion
    let code: Int
    let reasonPhrase: String

    /// Whether another head follows this one.
    var isInformational: Bool { code < 200 }

    /// Returns `nil` for anything other than `HTTP/version three-digits [reason]`.
    init?(_ line: UnsafeBufferPointer<UInt8>) {
        guard let space = line.firstIndex(of: .space), let version = Self.version(line[..<space]) else { return nil }
        let rest = line[(space + 1)...]
        guard let code = Self.code(rest.prefix(3)), rest.dropFirst(3).first.map(\.isSpaceTabOrLineEnd) ?? true else {
            return nil
        }
        self.version = version
        self.code = code
        reasonPhrase = String(decoding: rest.dropFirst(4).trimmingSpacesTabsAndLineEnds(), as: UTF8.self)
    }

    /// Whether the line starts a head.
    static func isStart(of line: UnsafeBufferPointer<UInt8>) -> Bool {
        line.starts(with: [0x48, 0x54, 0x54, 0x50, 0x2F])
    }

    private static func version(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> ResponseHead.HTTPVersion? {
        if text.isEqual("HTTP/1.1") { return .http1_1 }
        if text.isEqual("HTTP/2") { return .http2 }
        if text.isEqual("HTTP/1.0") { return .http1_0 }
        return text.isEqual("HTTP/3") ? .http3 : nil
    }

    private static func code(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard digits.count == 3, digits.isDecimal else { return nil }
        let code = digits.reduce(0) { $0 &* 10 &+ Int($1 &- .digitZero) }
        return code >= 100 ? code : nil
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    fileprivate func isEqual(_ text: StaticString) -> Bool {
        elementsEqual(text.withUTF8Buffer { $0 })
    }
}
