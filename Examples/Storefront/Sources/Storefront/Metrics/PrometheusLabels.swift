// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The labels of a series, in the text format of Prometheus.
struct PrometheusLabels: Sendable {
    /// `name="value",…`
    let text: String

    init(_ dimensions: [(String, String)]) {
        text = dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
    }

    /// With a further label, between braces; empty without any label.
    func braced(and other: String? = nil) -> String {
        let all = [text, other ?? ""].filter { !$0.isEmpty }.joined(separator: ",")
        return all.isEmpty ? "" : "{\(all)}"
    }

    /// A name of metrics and of labels: letters, digits and underscores.
    static func name(_ text: String) -> String {
        let name = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return name.first?.isNumber ?? true ? "_" + name : name
    }

    private static func escaped(_ value: String) -> String {
        var escaped = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": escaped += #"\\"#
            case "\"": escaped += #"\""#
            case "\n": escaped += #"\n"#
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
