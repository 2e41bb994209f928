// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
extension SettingKind<Duration> {
    static var duration: Self {
        Self("duration", expectation: "a duration with a unit, such as 500ms, 2s, 1.5s, 5m or 1h") {
            DurationText.parse($0)
        } write: {
            DurationText.write($0)
        }
    }

    /// A duration of more than zero.
    static var positiveDuration: Self {
        duration.converted { value throws(WrongValue) in
            guard value > .zero else { throw WrongValue(not: "more than zero") }
            return value
        } from: {
            $0
        }
    }
}

extension SettingKind<Int> {
    static func bytes(from minimum: Int = 0) -> Self {
        let expectation = "a number of bytes, or one of KiB, MiB or GiB, such as 65536 or 64KiB"
        return Self("bytes", expectation: minimum == 0 ? expectation : "\(expectation), of at least \(minimum)") {
            text in
            ByteText.parse(text).flatMap { $0 >= minimum ? $0 : nil }
        } write: {
            ByteText.write($0)
        }
    }

    static func count(from minimum: Int = 0, to maximum: Int = .max) -> Self {
        let range = maximum == .max ? "of at least \(minimum)" : "from \(minimum) to \(maximum)"
        let isAny = minimum == 0 && maximum == .max
        return Self(isAny ? "count" : "count \(range)", expectation: "a whole number \(range)") { text in
            Int(text).flatMap { $0 >= minimum && $0 <= maximum ? $0 : nil }
        } write: {
            "\($0)"
        }
    }
}

extension SettingKind<Double> {
    static func number(from minimum: Int = 0, to maximum: Int = .max) -> Self {
        let range = maximum == .max ? "of at least \(minimum)" : "from \(minimum) to \(maximum)"
        return Self("number \(range)", expectation: "a number \(range)") { text in
            Double(text).flatMap { $0.isFinite && $0 >= Double(minimum) && $0 <= Double(maximum) ? $0 : nil }
        } write: {
            "\($0)"
        }
    }
}

extension SettingKind<Bool> {
    /// The words are those of swift-configuration's provider of environment variables.
    static var boolean: Self {
        Self("`true` or `false`", expectation: "true or false", shape: .boolean) { text in
            switch text.lowercased() {
            case "true", "yes", "1": true
            case "false", "no", "0": false
            default: nil
            }
        } write: {
            "\($0)"
        }
    }
}

extension SettingKind<String> {
    /// Text that is not empty.
    static var text: Self { text(named: "text") }

    static func text(named name: String) -> Self {
        Self(name, expectation: "text: it is empty") {
            $0.isEmpty ? nil : $0
        } write: {
            $0
        }
    }
}

extension SettingKind where Value: Hashable & Sendable {
    /// One of a few values, each with its word.
    static func choice(_ words: KeyValuePairs<String, Value>) -> Self {
        let choices = words.map { (word: $0.key, value: $0.value) }
        let names = choices.map(\.word)
        return Self(names.map { "`\($0)`" }.joined(separator: ", "), expectation: "one of \(names.listed)") { text in
            choices.first { $0.word == text }?.value
        } write: { value in
            choices.first { $0.value == value }?.word ?? ""
        }
    }
}

extension [String] {
    /// The elements as they are listed in a sentence.
    var listed: String { joined(separator: ", ") }
}
#endif
