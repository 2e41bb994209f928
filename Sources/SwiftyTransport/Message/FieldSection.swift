// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import Synchronization

/// Header fields that are parsed on first access.
struct FieldSection: ~Copyable, Sendable {
    enum Content {
        case raw([UInt8])
        case parsed(HTTPFields)
    }

    private static let fieldCountLimit = 65_000

    private let state: Mutex<Content>

    init(_ content: Content) {
        state = Mutex(content)
    }

    var parsed: HTTPFields {
        state.withLock { state in
            switch state {
            case .parsed(let fields):
                return fields
            case .raw(let bytes):
                let fields = Self.parse(bytes)
                state = .parsed(fields)
                return fields
            }
        }
    }

    /// Whether there may be a field with this name, which is in lower case.
    func mayContain(_ name: StaticString) -> Bool {
        state.withLock { state in
            switch state {
            case .parsed(let fields): fields.contains { $0.name.canonicalName.utf8.elementsEqual(name.utf8) }
            case .raw(let bytes): Self.hasLine(startingWith: name, in: bytes)
            }
        }
    }

    private static func hasLine(startingWith name: StaticString, in bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            guard var line = bytes.baseAddress else { return false }
            let end = line + bytes.count
            let first = name.utf8Start.pointee
            while end - line > name.utf8CodeUnitCount {
                if line.load(as: UInt8.self) | 0x20 == first, begins(line, with: name) { return true }
                guard let newline = memchr(line, Int32(UInt8(ascii: "\n")), end - line) else { return false }
                line = UnsafeRawPointer(newline) + 1
            }
            return false
        }
    }

    /// Upper and lower case differ in one bit. Other bytes that differ in it match too; parsing excludes them.
    private static func begins(_ line: UnsafeRawPointer, with name: StaticString) -> Bool {
        for index in 0..<name.utf8CodeUnitCount
        where line.load(fromByteOffset: index, as: UInt8.self) | 0x20 != name.utf8Start[index] {
            return false
        }
        return true
    }

    /// Fields beyond the limit, which is close to the one where HTTPTypes traps, are left out. Transports refuse
    /// responses with that many fields.
    private static func parse(_ bytes: [UInt8]) -> HTTPFields {
        var fields = HTTPFields()
        for line in bytes.split(separator: UInt8(ascii: "\n")) where fields.count < fieldCountLimit {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
            else { continue }
            let value = line[(colon + 1)...].trimmingSpacesTabsAndLineEnds()
            fields.append(HTTPField(name: name, lenientValue: value))
        }
        return fields
    }
}

extension StaticString {
    fileprivate var utf8: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}
