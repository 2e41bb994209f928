// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
/// Durations as text: a decimal number and a unit.
enum DurationText {
    private static let units: [(name: Substring, length: Duration)] = [
        ("h", .seconds(3600)), ("m", .seconds(60)), ("s", .seconds(1)), ("ms", .milliseconds(1)),
    ]

    /// Up to nine digits, and up to nine after the point, which no unit makes too large.
    static func parse(_ text: String) -> Duration? {
        let number = text.prefix { $0.isDigit || $0 == "." }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard let unit = units.first(where: { $0.name == text[number.endIndex...] }), parts.count <= 2,
            parts.allSatisfy({ (1...9).contains($0.count) }), let whole = parts.first.flatMap({ Int($0) })
        else { return nil }
        guard parts.count == 2 else { return unit.length * whole }
        return Int(parts[1]).map { unit.length * whole + unit.length * $0 / powerOfTen(parts[1].count) }
    }

    /// In the largest unit of which the duration is a multiple.
    static func write(_ duration: Duration) -> String {
        if duration == .zero { return "0s" }
        let unit = units.first { duration.attoseconds % $0.length.attoseconds == 0 } ?? units[units.count - 1]
        return "\(duration.attoseconds / unit.length.attoseconds)\(unit.name)"
    }

    private static func powerOfTen(_ exponent: Int) -> Int {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}

/// Sizes as text: bytes without a unit, or a whole number of binary units.
enum ByteText {
    private static let units: [(name: Substring, size: Int)] = [
        ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("", 1),
    ]

    static func parse(_ text: String) -> Int? {
        let number = text.prefix { $0.isDigit }
        guard let unit = units.first(where: { $0.name == text[number.endIndex...] }), let count = Int(number) else {
            return nil
        }
        let (size, overflows) = count.multipliedReportingOverflow(by: unit.size)
        return overflows ? nil : size
    }

    /// In the largest unit of which the size is a multiple.
    static func write(_ size: Int) -> String {
        let unit = units.first { size > 0 && size % $0.size == 0 } ?? ("", 1)
        return "\(size / unit.size)\(unit.name)"
    }
}

extension Character {
    fileprivate var isDigit: Bool { "0"..."9" ~= self && isASCII }
}
#endif
