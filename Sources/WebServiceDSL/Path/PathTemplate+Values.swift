// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension PathTemplate {
    /// The percent-encoded value of a variable that has its value in a dictionary.
    ///
    /// - Parameter unused: The names of the dictionary that the template has not used yet.
    func value(
        of name: String,
        in variables: PathVariables,
        unused: inout Set<String>
    ) throws(SwiftyError) -> String {
        let hasSegments = name.hasSuffix("*")
        let key = hasSegments ? String(name.dropLast()) : name
        guard let variable = variables[key] else {
            throw Self.invalid("the path \"\(shown)\" has the variable {\(name)}, but no value was given for it")
        }
        unused.remove(key)
        let value = variable.pathText
        if value.isEmpty { throw Self.invalid("the value of the path variable {\(name)} is empty") }
        guard hasSegments else { return PercentEncoding.encode(value) }
        if let reason = Self.faultOfSegments(value) {
            throw Self.invalid("the value of the path variable {\(name)} \(reason)")
        }
        return value.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode(String($0)) }
            .joined(separator: "/")
    }

    /// The percent-encoded text of an interpolated value.
    func encode(_ value: RequestPath.Value, isInQuery: Bool) throws(SwiftyError) -> String {
        let reason = value.text.isEmpty ? "is empty" : Self.faultOfRaw(value, isInQuery: isInQuery)
        if let reason { throw Self.invalid("a value in the path \"\(shown)\" \(reason)") }
        return value.isRaw ? value.text : PercentEncoding.encode(value.text)
    }

    private static func faultOfRaw(_ value: RequestPath.Value, isInQuery: Bool) -> String? {
        guard value.isRaw else { return nil }
        if isInQuery { return "is a raw path in the query; use query(_:) for parameters" }
        if let reason = faultOfSegments(value.text) { return reason }
        var text = value.text
        let isNoPath = text.withUTF8 { Outline($0).isNoRelativePath }
        return isNoPath ? "is not a relative path: it has a control character, or leads to another server" : nil
    }

    /// The reason why a value is not a path of one or several segments; `nil` if it is one.
    private static func faultOfSegments(_ text: String) -> String? {
        if text.utf8.first == UInt8(ascii: "/") { return "begins with a slash, which makes an empty segment" }
        if text.utf8.contains(UInt8(ascii: "?")) { return "has a question mark, which would begin a query" }
        if text.utf8.contains(UInt8(ascii: "#")) { return "has a number sign (#), which would begin a fragment" }
        return nil
    }

    /// The values of variables whose names mark secrets.
    ///
    /// - Parameter secrets: The secrets of the service; `nil` if it defines none.
    func secretValues(of variables: PathVariables, _ secrets: RequestSecrets?) -> Set<String> {
        var values = Set<String>()
        for (name, variable) in variables where SecretVariables.contains(name, secrets?.names) {
            values.insert(variable.pathText)
        }
        for value in interpolated where SecretVariables.contains(value.name, secrets?.names) {
            values.insert(value.text)
        }
        for (name, value) in expansion?.values ?? [:] where SecretVariables.contains(name, secrets?.names) {
            values.formUnion(value.strings)
        }
        return values
    }
}
