// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A parameter of a request of a ``ServiceCommand``, which the command line gives by name: `--user apple`.
public struct ServiceParameter<Value: Sendable>: Sendable {
    let form: ParameterForm
    /// Makes the value of the words, of which there are as many as the form allows.
    let read: @Sendable ([String]) throws(UsageError) -> Value
}

extension ServiceParameter where Value: ServiceArgument {
    /// A parameter without which there is no request.
    ///
    /// - Parameters:
    ///   - name: The name, without hyphens at its beginning.
    ///   - help: What it means, in a few words.
    public static func required(_ name: String, help: String = "") -> Self {
        let form = ParameterForm(name, help: help, value: Value.argumentForm, count: .required)
        return Self(form: form) { words throws(UsageError) in
            guard let word = words.first else { throw form.missing }
            return try form.value(of: word)
        }
    }

    /// A parameter with a value if the command line gives none.
    ///
    /// - Parameters:
    ///   - name: The name, without hyphens at its beginning.
    ///   - defaultValue: The value.
    ///   - help: What it means, in a few words.
    public static func optional(_ name: String, default defaultValue: Value, help: String = "") -> Self {
        let form = ParameterForm(name, help: help, value: Value.argumentForm, count: .optional)
        return Self(form: form) { words throws(UsageError) in
            guard let word = words.first else { return defaultValue }
            return try form.value(of: word)
        }
    }
}

extension ServiceParameter {
    /// A parameter that is `nil` if the command line does not give it.
    ///
    /// - Parameters:
    ///   - name: The name, without hyphens at its beginning.
    ///   - help: What it means, in a few words.
    public static func optional<Wrapped: ServiceArgument>(
        _ name: String,
        help: String = ""
    ) -> Self where Value == Wrapped? {
        let form = ParameterForm(name, help: help, value: Wrapped.argumentForm, count: .optional)
        return Self(form: form) { words throws(UsageError) in
            guard let word = words.first else { return nil }
            return try form.value(of: word) as Wrapped
        }
    }

    /// A parameter that the command line may give any number of times, each time with one value.
    ///
    /// - Parameters:
    ///   - name: The name, without hyphens at its beginning.
    ///   - help: What it means, in a few words.
    public static func repeated<Element: ServiceArgument>(
        _ name: String,
        help: String = ""
    ) -> Self where Value == [Element] {
        let form = ParameterForm(name, help: help, value: Element.argumentForm, count: .repeated)
        return Self(form: form) { words throws(UsageError) in
            var values: [Element] = []
            for word in words { values.append(try form.value(of: word)) }
            return values
        }
    }
}

extension ServiceParameter where Value == Bool {
    /// A parameter without a value, which is `true` if the command line names it.
    ///
    /// - Parameters:
    ///   - name: The name, without hyphens at its beginning.
    ///   - help: What it means, in a few words.
    public static func flag(_ name: String, help: String = "") -> Self {
        Self(form: ParameterForm(name, help: help, value: nil, count: .optional)) { words in !words.isEmpty }
    }
}

/// The name of a parameter, and what the command line may say.
struct ParameterForm: Sendable {
    enum Count {
        case required
        case optional
        case repeated
    }

    let name: String
    let help: String
    /// What a value is called; `nil` for a flag.
    let value: String?
    let count: Count

    init(_ name: String, help: String, value: String?, count: Count) {
        (self.name, self.help, self.value, self.count) = (name, help, value, count)
    }

    /// The parameter as the command line gives it: `--user TEXT`.
    var words: String { "--\(name)" + (value.map { " \($0)" } ?? "") }

    /// The parameter in the line that shows how a request is called.
    var usage: String {
        switch count {
        case .required: words
        case .optional: "[\(words)]"
        case .repeated: "[\(words)]…"
        }
    }

    var missing: UsageError { UsageError("--\(name) is missing.", hint: words) }

    func value<Value: ServiceArgument>(of word: String) throws(UsageError) -> Value {
        if let value = Value(commandLine: word) { return value }
        throw UsageError("\"\(word)\" is not a value of --\(name).", hint: words)
    }
}
