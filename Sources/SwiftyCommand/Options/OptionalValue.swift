// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// `--idempotency-key [KEY]`: an option whose value may be left out, which the parser does not know.
enum OptionalValue {
    /// Stands for a value that was left out.
    static let none = "\u{0}"

    private static let options: Set<String> = ["--idempotency-key"]

    /// The arguments with each such option in the form `--name=VALUE`.
    ///
    /// The next argument is the value unless it can only be something else: an option, a method, a URL or an item.
    static func complete(_ arguments: [String]) -> [String] {
        var result: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard options.contains(argument) else {
                result.append(argument)
                continue
            }
            let value = rest.first.flatMap { isValue($0) ? $0 : nil }
            if value != nil { rest.removeFirst() }
            result.append("\(argument)=\(value ?? none)")
        }
        return result
    }

    private static func isValue(_ argument: String) -> Bool {
        if argument.hasPrefix("-") || argument.hasPrefix("localhost") { return false }
        if argument.contains(where: { ":/=@;.".contains($0) }) { return false }
        return !argument.allSatisfy { $0.isLetter && $0.isUppercase }
    }
}
