// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// An option of curl or HTTPie, and what it is here.
struct ForeignOption: Sendable {
    /// The arguments that stand in its place.
    struct Replacement: Equatable, Sendable {
        var arguments: [String] = []
        /// Items of the request, which come behind the URL.
        var items: [String] = []
    }

    enum Meaning: Sendable {
        /// An option without a value, and the arguments that it stands for; none if it asks for what is done anyway.
        case flag([String])
        /// An option with a value.
        case value(@Sendable (String) throws(UsageError) -> Replacement)
        /// An option that is refused with the question what was meant.
        case refused(meant: String)
    }

    /// With their hyphens.
    let names: [String]
    let meaning: Meaning

    init(_ names: String, _ meaning: Meaning) {
        self.names = names.split(separator: " ").map(String.init)
        self.meaning = meaning
    }

    /// An option whose value is that of one of our options.
    static func renamed(_ names: String, _ own: String) -> ForeignOption {
        ForeignOption(names, .value { value throws(UsageError) in Replacement(arguments: ["\(own)=\(value)"]) })
    }

    /// An option whose value makes an item.
    static func item(
        _ names: String,
        _ make: @escaping @Sendable (String) throws(UsageError) -> String
    ) -> ForeignOption {
        ForeignOption(names, .value { value throws(UsageError) in Replacement(items: [try make(value)]) })
    }

    /// The error of an option that is refused.
    static func refusal(of name: String, meant: String) -> UsageError {
        UsageError("\(name) is not known here.", hint: "Did you mean \(meant)?")
    }
}
