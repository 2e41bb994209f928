// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension RequestPath {
    /// The path and the query of a URI Template (RFC 6570), such as APIs document and send them.
    ///
    ///     server.get(.template("repos/{owner}/{repo}/issues{?state,labels*}", ["owner": "apple", "repo": "swift"]))
    ///
    /// Variables without a value are omitted, as RFC 6570 says. The template names the request in metrics, traces and
    /// mocks, and values whose names mark secrets are hidden in what is printed or recorded.
    ///
    /// What is wrong fails the load with ``SwiftyError/Code/invalidURL``: text that is no template, a value that does
    /// not fit, and an expansion with a dot segment, a fragment or another server, whatever the operator.
    ///
    /// - Parameters:
    ///   - template: The template; see ``URITemplate``.
    ///   - values: The values of its variables.
    public static func template(_ template: String, _ values: [String: URITemplate.Value] = [:]) -> RequestPath {
        RequestPath(template, expansion: Expansion(template, values))
    }

    /// The expansion of a URI Template.
    struct Expansion: Sendable {
        /// The relative reference, or the reason why there is none.
        let reference: Result<String, SwiftyError>
        /// The values, by the names of their variables.
        let values: [String: URITemplate.Value]

        init(_ template: String, _ values: [String: URITemplate.Value]) {
            self.values = values
            do {
                reference = .success(try URITemplate(template).expand(values))
            } catch {
                reference = .failure(PathTemplate.invalid("the path cannot be expanded: \(error)"))
            }
        }
    }
}

extension URITemplate.Value {
    /// The strings that the expansion has.
    var strings: [String] {
        switch self {
        case .text(let text): [text]
        case .list(let members): members
        case .pairs(let pairs): pairs.map(\.value)
        }
    }
}
