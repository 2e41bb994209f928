// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The positional arguments: `[METHOD] URL [ITEM…]`.
struct RequestLine: Equatable {
    /// In upper case; `nil` if none was given.
    var method: String?
    /// Absolute.
    var url: String
    var items: [RequestItem]
    /// Whether one of the items was `-`: the content comes from standard input.
    var readsInput: Bool

    /// Parses the arguments.
    ///
    /// The first is a method if another follows and it is a word in capitals, or one of the common methods in any case.
    ///
    /// - Parameter option: the method that an option names.
    init(_ arguments: [String], method option: String? = nil) throws(UsageError) {
        guard let first = arguments.first else { throw Self.missingURL }
        let hasMethod = arguments.count > 1 && Self.isMethod(first)
        method = hasMethod ? first.uppercased() : option?.uppercased()
        if let option, let method, option.uppercased() != method {
            throw UsageError("There are two methods: \(method) and \(option.uppercased()).")
        }
        let location = arguments[hasMethod ? 1 : 0]
        if !URLShorthand.canBeURL(location) {
            throw UsageError("\"\(location)\" is no URL.", hint: "Write: swifty [METHOD] URL [ITEM…]")
        }
        url = URLShorthand.expand(location)
        let rest = arguments.dropFirst(hasMethod ? 2 : 1)
        readsInput = rest.contains("-")
        items = []
        for argument in rest where argument != "-" { items.append(try RequestItem(argument)) }
        if Self.isMethod(first), !hasMethod { throw Self.missingURL }
    }

    private static let missingURL = UsageError("There is no URL.", hint: "Write: swifty [METHOD] URL [ITEM…]")

    private static let commonMethods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE",
    ]

    private static func isMethod(_ text: String) -> Bool {
        commonMethods.contains(text.uppercased()) || text.allSatisfy { $0.isASCII && ($0.isUppercase || $0 == "-") }
    }
}
