// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The words after the name of a request: those of its parameters, and the rest, which are options of the output.
struct ServiceWords: Equatable {
    private(set) var values: [String: [String]] = [:]
    private(set) var rest: [String] = []

    /// A name of a parameter takes precedence over an option of the same name.
    init(_ words: [String], for parameters: [ParameterForm]) throws(UsageError) {
        var words = words[...]
        while let word = words.popFirst() {
            let (name, given) = Self.parts(of: word)
            guard let parameter = parameters.first(where: { $0.name == name }) else {
                rest.append(word)
                continue
            }
            try add(Self.value(of: parameter, given, &words), to: parameter)
        }
    }

    /// The name of `--name` and `--name=value`, and the value.
    private static func parts(of word: String) -> (name: String?, value: String?) {
        guard word.hasPrefix("--") else { return (nil, nil) }
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts.first.map(String.init), parts.count > 1 ? String(parts[1]) : nil)
    }

    private static func value(
        of parameter: ParameterForm,
        _ given: String?,
        _ words: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard parameter.value != nil else {
            if given == nil { return "true" }
            throw UsageError("--\(parameter.name) takes no value.")
        }
        guard let value = given ?? words.popFirst() else {
            throw UsageError("--\(parameter.name) needs a value.", hint: parameter.words)
        }
        return value
    }

    private mutating func add(_ value: String, to parameter: ParameterForm) throws(UsageError) {
        if parameter.count != .repeated, values[parameter.name] != nil {
            throw UsageError("--\(parameter.name) is there twice.")
        }
        values[parameter.name, default: []].append(value)
    }

    /// The parameter that a word of the rest was probably meant to be.
    func suggestion(among parameters: [ParameterForm]) -> String? {
        let names = rest.compactMap { Self.parts(of: $0).name }
        let near = names.lazy.compactMap { Misspelling.nearest(to: $0, among: parameters.map(\.name)) }.first
        return near.map { "Did you mean --\($0)?" }
    }
}
