// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Tracing

/// The place of a span in its trace, as the field `traceparent` of W3C Trace Context has it.
struct TraceContext: Sendable, Hashable {
    let traceID: String
    let spanID: String
    var isSampled = true

    /// A new span of the same trace, or of a new one.
    init(childOf parent: TraceContext?) {
        traceID = parent?.traceID ?? Self.number(digits: 32)
        spanID = Self.number(digits: 16)
        isSampled = parent?.isSampled ?? true
    }

    /// - Parameter field: The value of the field; `nil` follows from a malformed one.
    init?(traceparent field: String) {
        let parts = field.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4 || (parts.count > 4 && parts[0] != "00"), parts[0] != "ff" else { return nil }
        guard zip(parts, [2, 32, 16, 2]).allSatisfy({ Self.isNumber($0, digits: $1) }) else { return nil }
        guard let flags = UInt8(parts[3], radix: 16) else { return nil }
        guard [parts[1], parts[2]].allSatisfy({ $0.contains { $0 != "0" } }) else { return nil }
        (traceID, spanID) = (String(parts[1]), String(parts[2]))
        isSampled = flags & 1 == 1
    }

    var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    private static func isNumber(_ text: Substring, digits: Int) -> Bool {
        text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// A random number other than zero, in hexadecimal digits.
    private static func number(digits: Int) -> String {
        var text = ""
        while text.utf8.count < digits {
            let part = String(UInt64.random(in: 1...UInt64.max), radix: 16)
            text += String(repeating: "0", count: 16 - part.utf8.count) + part
        }
        return text
    }
}

private enum TraceContextKey: InstrumentationContextKey {
    typealias Value = TraceContext
}

extension InstrumentationContext {
    var trace: TraceContext? {
        get { self[TraceContextKey.self] }
        set { self[TraceContextKey.self] = newValue }
    }
}
