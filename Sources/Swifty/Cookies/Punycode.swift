// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Encodes labels of international names for DNS (RFC 3492, RFC 5890).
enum Punycode {
    /// The label in ASCII, with `xn--` in front if it was encoded; `nil` if it is empty or too long.
    static func asciiLabel(_ label: some StringProtocol) -> String? {
        let scalars = label.lowercased().unicodeScalars.map { Int($0.value) }
        guard (1...63).contains(scalars.count) else { return nil }
        if scalars.allSatisfy({ $0 < 0x80 }) { return label.lowercased() }
        return "xn--" + encode(scalars)
    }

    private static func encode(_ scalars: [Int]) -> String {
        var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
        let basicCount = output.count
        var handled = basicCount
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var (code, delta, bias) = (0x80, 0, 72)
        // Each round inserts every occurrence of the next larger code point.
        while handled < scalars.count, let next = scalars.filter({ $0 >= code }).min() {
            delta += (next - code) * (handled + 1)
            for scalar in scalars {
                if scalar < next { delta += 1 }
                guard scalar == next else { continue }
                output += digits(of: delta, bias: bias)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            code = next + 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func digits(of delta: Int, bias: Int) -> [UInt8] {
        var (rest, weight, output) = (delta, 36, [UInt8]())
        while true {
            let threshold = min(max(weight - bias, 1), 26)
            if rest < threshold { return output + [digit(rest)] }
            output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            weight += 36
        }
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? 0x61 + value : 0x30 + value - 26)
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var bias = 0
        while delta > 455 {
            delta /= 35
            bias += 36
        }
        return bias + 36 * delta / (delta + 38)
    }
}
