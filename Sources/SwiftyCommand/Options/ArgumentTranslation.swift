// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Translates arguments of curl and HTTPie into arguments of this command.
struct ArgumentTranslation {
    private let scope: Scope
    private var rest: ArraySlice<String>
    private var result: [String] = []
    private var items: [String] = []

    /// The arguments with every option of ``ForeignOptions`` replaced. Items that options produce come last.
    ///
    /// - Throws: ``UsageError`` for an option that means something else here.
    static func translate(_ arguments: [String]) throws(UsageError) -> [String] {
        guard let scope = Scope(arguments.first) else { return arguments }
        var translation = ArgumentTranslation(scope: scope, rest: arguments[...])
        while let argument = translation.rest.popFirst() { try translation.take(argument) }
        if scope == .batch, let item = translation.items.first {
            throw UsageError("\"batch\" takes no \"\(item)\".", hint: "Give each line its \"headers\".")
        }
        return translation.result + translation.items
    }

    private mutating func take(_ argument: String) throws(UsageError) {
        if argument == "--" {
            result += [argument] + rest
            rest = []
        } else if argument.hasPrefix("--") {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            try takeLong(parts[0], parts.count == 2 ? parts[1] : nil)
        } else if argument.hasPrefix("-"), argument.count > 1 {
            try takeShort(argument)
        } else {
            result.append(argument)
        }
    }

    private mutating func takeLong(_ name: String, _ attached: String?) throws(UsageError) {
        if try takeAmbiguous(name, attached) { return }
        guard let meaning = ForeignOptions.byName[name] else {
            return result.append(attached.map { "\(name)=\($0)" } ?? name)
        }
        try replace(name, meaning: meaning, attached: attached)
    }

    private mutating func replace(
        _ name: String,
        meaning: ForeignOption.Meaning,
        attached: String?
    ) throws(UsageError) {
        switch meaning {
        case .flag(let arguments):
            if attached != nil { throw UsageError("\(name) takes no value.") }
            result += arguments
        case .value(let make):
            guard let value = attached ?? rest.popFirst() else { throw UsageError("\(name) has no value.") }
            let replacement = try make(value)
            result += replacement.arguments
            items += replacement.items
        case .refused(let meant): throw ForeignOption.refusal(of: name, meant: meant)
        }
    }
}

extension ArgumentTranslation {
    /// Translates one or more letters after a hyphen: `-sSL`, `-XPUT`, `-so FILE`.
    private mutating func takeShort(_ argument: String) throws(UsageError) {
        guard let letters = letters(of: argument) else { return result.append(argument) }
        let isOfCURL = letters.contains { "sSLk".contains($0.letter) }
        for (letter, attached) in letters {
            let name = "-\(letter)"
            if letter == "f", isOfCURL {
                // `-fsSL`: HTTPie does not combine its own `-f` with these letters.
                result.append("--check-status")
            } else if scope.flags.contains(letter) {
                if try !takeValueOfCURL(name, attached) { result.append(name) }
            } else if scope.values.contains(letter) {
                result += [name] + (attached.map { [$0] } ?? [])
            } else if let meaning = scope.meaning(of: name) {
                try replace(name, meaning: meaning, attached: attached)
            }
        }
    }

    /// The letters, the last one with its value if that is attached; `nil` if one of them is unknown.
    private func letters(of argument: String) -> [(letter: Character, attached: String?)]? {
        var result: [(Character, String?)] = []
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let takesValue = scope.takesValue(letter) else { return nil }
            let isField = letter == "H" && letters.contains(":")
            if letter == "C", letters == "-" || !letters.isEmpty && letters.allSatisfy(\.isNumber) {
                return result + [(letter, String(letters))]
            }
            if takesValue || isField, !letters.isEmpty {
                // A later letter is unlikely to have a value: `-verify` does not mean `-v -e rify`.
                guard result.isEmpty || letter == "X" && letters.allSatisfy(\.isUppercase) else { return nil }
                return result + [(letter, String(letters))]
            }
            result.append((letter, nil))
        }
        return result
    }

    /// Translates an option that has a value in curl, or is ambiguous.
    ///
    /// - Returns: Whether it was one of these.
    private mutating func takeAmbiguous(_ name: String, _ attached: String?) throws(UsageError) -> Bool {
        guard let value = attached ?? rest.first else { return false }
        switch name {
        case "--json" where attached != nil || ArgumentForm.isJSON(value):
            result += ["--json", "--data=\(value)"]
        case "--output" where scope == .send && OutputFormat(rawValue: value) == nil:
            guard value == "-" || value.contains(where: { "./".contains($0) }) else {
                throw UsageError("--output takes text or json.", hint: "Did you mean -o \(value)?")
            }
            result += ["-o", value]
        case "--verify" where Verification(argument: value) == nil && !value.hasPrefix("-"):
            throw UsageError("--verify takes yes, no or chain.", hint: "Did you mean --ca \(value)?")
        default: return false
        }
        if attached == nil { rest.removeFirst() }
        return true
    }

    /// Translates a flag that has a value in curl: `-H 'Name: value'` works, the others are errors if a value follows.
    private mutating func takeValueOfCURL(_ name: String, _ attached: String?) throws(UsageError) -> Bool {
        guard let value = attached ?? rest.first else { return false }
        switch name {
        case "-H" where attached != nil || ArgumentForm.isField(value):
            items.append(try CURLItem.fieldItem(value))
        case "-H" where ArgumentForm.isDenseField(value):
            throw Self.ambiguity("-H prints only the head", "\(value) without -H")
        case "-C" where attached != nil || value == "-" || Int(value) != nil:
            result.append(try ForeignOptions.continuation(value))
        case "-d" where ArgumentForm.isJSON(value) || ArgumentForm.isPair(value):
            throw Self.ambiguity("-d saves the content in a file", "--data '\(value)'")
        case "-b" where ArgumentForm.isPair(value):
            throw Self.ambiguity("-b prints only the content", "Cookie:\(value)")
        case "-b" where rest.count > 1 && ArgumentForm.isFile(value):
            throw Self.ambiguity("-b prints only the content", "--cookies \(value)")
        case "-m" where Double(value) != nil:
            throw Self.ambiguity("-m prints the timings", "--timeout \(value)")
        default: return false
        }
        if attached == nil { rest.removeFirst() }
        return true
    }

    private static func ambiguity(_ own: String, _ meant: String) -> UsageError {
        UsageError("\(own) here, and takes no value.", hint: "Did you mean \(meant)?")
    }
}

extension ArgumentTranslation {
    /// The subcommand of the arguments, and the letters of its options.
    enum Scope {
        case send
        case bench
        case batch

        /// - Returns: `nil` for a subcommand that takes no options of requests.
        init?(_ first: String?) {
            switch first {
            case "bench": self = .bench
            case "batch": self = .batch
            case "curl", "import", "serve", "export", "version", "help": return nil
            default: self = .send
            }
        }

        var flags: Set<Character> { self == .send ? Set("vHbmdCjqSh46") : Set("jqSh46") }

        var values: Set<Character> {
            switch self {
            case .send: Set("oaAXT")
            case .bench: Set("ncaAXT")
            case .batch: Set("caA")
            }
        }

        /// Letters of curl that are options of `send` with other meanings.
        private static let onlyOfCURL: [String: ForeignOption.Meaning] = [
            "-H": ForeignOption.item("-H", CURLItem.fieldItem).meaning,
            "-d": ForeignOption.renamed("-d", "--data").meaning,
            "-b": .refused(meant: "--cookies FILE, or an item like Cookie:name=value"),
            "-m": ForeignOption.renamed("-m", "--timeout").meaning,
        ]

        func meaning(of name: String) -> ForeignOption.Meaning? {
            ForeignOptions.byName[name] ?? (self == .send ? nil : Self.onlyOfCURL[name])
        }

        /// Whether an option of this letter has a value; `nil` if there is no such option.
        func takesValue(_ letter: Character) -> Bool? {
            if flags.contains(letter) { return false }
            if values.contains(letter) { return true }
            return meaning(of: "-\(letter)").map { if case .value = $0 { true } else { false } }
        }
    }
}

/// `--idempotency-key [KEY]`: an option whose value may be omitted, which the parser does not support.
enum OptionalValue {
    /// Represents an omitted value.
    static let none = "\u{0}"

    /// The arguments with each such option in the form `--name=VALUE`.
    ///
    /// The next argument is the value unless it can only be something else: an option, a method, a URL or an item.
    static func complete(_ arguments: [String]) -> [String] {
        var result: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument == "--idempotency-key" else {
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
