// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension URITemplate {
    /// A variable that has both a prefix length and a list or pairs as its value (RFC 6570 §2.4.1).
    public struct ExpansionError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The name of the variable.
        public let variableName: String

        /// The name and the reason, in one line.
        public var description: String {
            "the variable \(variableName) of the URI Template has a prefix length, but its value is not text"
        }
    }

    /// The URI reference that the template makes of the variables (RFC 6570 §3).
    ///
    /// Undefined variables are omitted, and values of which the template has no variable are ignored. A prefix length
    /// counts Unicode scalars. Under `+` and `#`, the percent-encoded triplets of one scalar count as one.
    ///
    /// - Throws: An ``ExpansionError`` for a list or pairs with a prefix length.
    public func expand(_ variables: [String: Value]) throws(ExpansionError) -> String {
        var result = ""
        for part in parts {
            switch part {
            case .literal(let text): result += text
            case .expression(let expression): result += try expression.expand(variables)
            }
        }
        return result
    }
}

extension URITemplate.Expression {
    fileprivate func expand(
        _ values: [String: URITemplate.Value]
    ) throws(URITemplate.ExpansionError) -> String {
        var expansions: [String] = []
        for variable in variables {
            guard let value = values[variable.name], value.isDefined else { continue }
            expansions.append(try expansion(of: variable, value))
        }
        return expansions.isEmpty ? "" : type.first + expansions.joined(separator: type.separator)
    }

    private func expansion(
        of variable: URITemplate.Variable,
        _ value: URITemplate.Value
    ) throws(URITemplate.ExpansionError) -> String {
        switch (value, variable.modifier) {
        case (.text(let text), .prefix(let length)): named(variable.name, type.prefix(of: text, length: length))
        case (.text(let text), _): named(variable.name, text)
        case (_, .prefix): throw URITemplate.ExpansionError(variableName: variable.name)
        case (.list(let members), .explode): separated(members.map { named(variable.name, $0) })
        case (.pairs(let pairs), .explode): separated(pairs.map { assignment(type.encode($0.name), $0.value) })
        case (.list(let members), nil): listed(variable.name, members)
        case (.pairs(let pairs), nil): listed(variable.name, pairs.flatMap { [$0.name, $0.value] })
        }
    }

    private func separated(_ texts: [String]) -> String {
        texts.joined(separator: type.separator)
    }

    private func named(_ name: String, _ value: String) -> String {
        type.isNamed ? assignment(name, value) : type.encode(value)
    }

    private func assignment(_ name: String, _ value: String) -> String {
        value.isEmpty && type == .parameter ? name : "\(name)=\(type.encode(value))"
    }

    /// The members as one value. They are at least one, so the value is not empty, even if each of them is.
    private func listed(_ name: String, _ members: [String]) -> String {
        let value = members.map(type.encode).joined(separator: ",")
        return type.isNamed ? "\(name)=\(value)" : value
    }
}
