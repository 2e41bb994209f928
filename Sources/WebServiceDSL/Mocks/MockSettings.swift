// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The settings of one answer in a mock file: `# @latency 200 ms` in a message, `"latency": "200 ms"` in an envelope.
struct MockSettings {
    private(set) var failure: SwiftyError?
    private(set) var isVerbatim = false
    private var latency = Duration.zero
    private var bytesPerSecond: Int?
    private var cut: Int?

    /// Whether anything was set.
    private(set) var isEmpty = true

    /// Sets a value.
    ///
    /// - Throws: ``MockSyntaxError`` if the name is unknown or the value malformed.
    mutating func set(_ name: Substring, to value: Substring, line: Int) throws(MockSyntaxError) {
        isEmpty = false
        switch name {
        case "latency": latency = try Self.duration(value, line)
        case "rate": bytesPerSecond = try Self.rate(value, line)
        case "cut": cut = try Self.count(value, line)
        case "failure": failure = try Self.failure(value, line)
        case "verbatim": isVerbatim = value != "false"
        default:
            throw MockSyntaxError(
                line,
                "\"\(name)\" is not a setting; there are latency, rate, cut, failure and verbatim"
            )
        }
    }

    /// The answer with these settings.
    ///
    /// - Parameter line: The line on which the answer begins.
    /// - Throws: ``MockSyntaxError`` if the cut does not lie within the content.
    func applied(to outcome: MockResponse.Outcome, line: Int) throws(MockSyntaxError) -> MockResponse {
        try checkCut(of: outcome, line: line)
        var response = MockResponse(outcome)
        response.latency = latency
        response.bytesPerSecond = bytesPerSecond
        response.cut = cut
        return response
    }

    private func checkCut(of outcome: MockResponse.Outcome, line: Int) throws(MockSyntaxError) {
        switch outcome {
        case .failure:
            if cut != nil || bytesPerSecond != nil {
                throw MockSyntaxError(line, "an answer with a failure has no content with a rate, or to be cut")
            }
        case .response(_, let content):
            if let cut, cut >= content.count {
                throw MockSyntaxError(
                    line,
                    "the cut after \(cut) bytes is not within the \(content.count) of the content"
                )
            }
        }
    }

    private static func duration(_ text: Substring, _ line: Int) throws(MockSyntaxError) -> Duration {
        let units: [Substring: Double] = ["ms": 0.001, "s": 1, "min": 60]
        let (number, unit) = split(text)
        guard let number, let factor = units[unit], (0...1_000_000).contains(number * factor) else {
            throw MockSyntaxError(
                line,
                "the latency \"\(text)\" is not a time such as \"200 ms\", \"1.5 s\" or \"2 min\""
            )
        }
        return .seconds(number * factor)
    }

    private static func rate(_ text: Substring, _ line: Int) throws(MockSyntaxError) -> Int {
        let units = ["b/s": 1, "kb/s": 1e3, "mb/s": 1e6, "kib/s": 1024, "mib/s": 1_048_576]
        let (number, unit) = split(text)
        guard let number, let factor = units[unit.lowercased()], (1...1e12).contains(number * factor) else {
            throw MockSyntaxError(
                line,
                "the rate \"\(text)\" is not one such as \"500 B/s\", \"10 kB/s\" or \"1 MiB/s\""
            )
        }
        return Int(number * factor)
    }

    private static func count(_ text: Substring, _ line: Int) throws(MockSyntaxError) -> Int {
        guard let count = Int(text), count >= 0 else {
            throw MockSyntaxError(line, "the cut \"\(text)\" is not the number of bytes after which the content ends")
        }
        return count
    }

    /// A code, and the reason in words.
    private static func failure(_ text: Substring, _ line: Int) throws(MockSyntaxError) -> SwiftyError {
        let name = text.prefix { $0 != " " }
        guard let code = SwiftyError.Code.ofTransports.first(where: { $0.rawValue == name }) else {
            let all = SwiftyError.Code.ofTransports.map(\.rawValue).joined(separator: ", ")
            throw MockSyntaxError(line, "\"\(name)\" is not a failure of a transfer; there are \(all)")
        }
        return SwiftyError(mocked: code, reason: String(text[name.endIndex...].trimmingSpacesAndTabs()))
    }

    /// A decimal number, and the unit after it.
    private static func split(_ text: Substring) -> (number: Double?, unit: Substring) {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        return (Double(digits), text[digits.endIndex...].trimmingSpacesAndTabs())
    }
}
