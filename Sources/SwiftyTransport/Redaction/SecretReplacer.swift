// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// Replaces known secrets in text, including their spellings in URLs, in forms and in JSON.
///
/// Text is read once, however many secrets there are. Bytes are compared, because a combining mark after a secret would
/// merge with its last character. JSON stays JSON: only strings in it are changed, and numbers that are secrets.
package struct SecretReplacer: Sendable {
    /// The spellings of the secrets by their first bytes, the longest first: one may be a part of another.
    private var byBeginning: [UInt64: [[UInt8]]] = [:]
    /// The spellings that are too short for this, the longest first.
    private var short: [[UInt8]] = []
    private static let beginning = 5
    private let secrets: Set<String>

    package init(_ secrets: Set<String>) {
        self.secrets = secrets
        for spelling in Set(secrets.flatMap(SecretSpellings.all)) {
            let bytes = Array(spelling.utf8)
            if bytes.count < Self.beginning {
                short.append(bytes)
            } else {
                byBeginning[Self.key(bytes.prefix(Self.beginning)), default: []].append(bytes)
            }
        }
        short.sort { $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count > $1.count }
        for key in byBeginning.keys { byBeginning[key]?.sort { $0.count > $1.count } }
    }

    package func replace(in text: String) -> String {
        replace(in: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// The bytes without secrets; `nil` if there are none in them.
    package func replace(in bytes: [UInt8]) -> [UInt8]? {
        var result = replaceLong(in: bytes)
        for secret in short { result = replaceShort(secret, in: result ?? bytes) ?? result }
        return result
    }

    /// JSON without secrets; `nil` if there are none in it.
    package func replace(inJSON bytes: [UInt8]) -> [UInt8]? { replace(inJSON: bytes, depth: 0) }

    private func replace(inJSON bytes: [UInt8], depth: Int) -> [UInt8]? {
        var (result, start, index) = ([UInt8](), 0, 0)
        while index < bytes.count {
            var (end, replacement) = (index + 1, [UInt8]?.none)
            if bytes[index] == .quote {
                let close = JSONSearch.stringEnd(in: bytes, openedAt: index, before: bytes.count)
                end = close.map { $0 + 1 } ?? bytes.count
                replacement = replace(inLiteral: bytes[index..<end], depth)
            } else if JSONSearch.isNumberByte(bytes[index]) {
                end = JSONSearch.numberEnd(in: bytes, from: index, before: bytes.count)
                let isSecret = secrets.contains(String(decoding: bytes[index..<end], as: UTF8.self))
                replacement = isSecret ? [.digitZero] : nil
            }
            if let replacement {
                result += bytes[start..<index] + replacement
                start = end
            }
            index = end
        }
        return start == 0 ? nil : result + bytes[start...]
    }

    /// A JSON string without secrets, with its quotes. Its text may itself be JSON.
    private func replace(inLiteral literal: ArraySlice<UInt8>, _ depth: Int) -> [UInt8]? {
        guard depth < 4, literal.contains(.backslash), let text = JSONString.decode(literal) else {
            let isClosed = literal.count > 1 && literal.last == .quote
            let content = literal.dropFirst().dropLast(isClosed ? 1 : 0)
            return replace(in: Array(content)).map { [.quote] + $0 + (isClosed ? [.quote] : []) }
        }
        let isJSON = JSONSearch.isLikely(text)
        let replaced = isJSON ? replace(inJSON: text, depth: depth + 1) : replace(in: text)
        return replaced.map { JSONString.encode(String(decoding: $0, as: UTF8.self)) }
    }

    private func replaceLong(in bytes: [UInt8]) -> [UInt8]? {
        guard !byBeginning.isEmpty, bytes.count >= Self.beginning else { return nil }
        var (result, start, index) = ([UInt8](), 0, 0)
        var window = Self.key(bytes.prefix(Self.beginning - 1))
        while index + Self.beginning <= bytes.count {
            window = window << 8 & Self.mask | UInt64(bytes[index + Self.beginning - 1])
            guard let secret = byBeginning[window]?.first(where: { bytes[index...].starts(with: $0) }) else {
                index += 1
                continue
            }
            result += bytes[start..<index] + SecretScan.placeholder
            index += secret.count
            start = index
            window = Self.key(bytes[index...].prefix(Self.beginning - 1))
        }
        return start == 0 ? nil : result + bytes[start...]
    }

    /// Leaves the placeholders of longer secrets, of which a short one may be a part.
    private func replaceShort(_ secret: [UInt8], in bytes: [UInt8]) -> [UInt8]? {
        guard bytes.firstRange(of: secret) != nil else { return nil }
        var (result, start, index) = ([UInt8](), 0, 0)
        while index < bytes.count {
            if bytes[index...].starts(with: SecretScan.placeholder) {
                index += SecretScan.placeholder.count
            } else if bytes[index...].starts(with: secret) {
                result += bytes[start..<index] + SecretScan.placeholder
                index += secret.count
                start = index
            } else {
                index += 1
            }
        }
        return start == 0 ? nil : result + bytes[start...]
    }

    private static let mask: UInt64 = 0xFF_FFFF_FFFF

    private static func key(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
