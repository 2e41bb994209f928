// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// The text that `print`, string interpolation and `dump` show of values that may contain secrets.

extension NetworkRequest: CustomStringConvertible, CustomReflectable {
    /// Method, URL, header fields and the size of the body on one line, with secrets replaced.
    public var description: String {
        let body = body.map { ", \($0.count) bytes" } ?? ""
        return Redaction.line("\(method.rawValue) \(Redaction.redact(target)) \(Redaction.describe(headers))\(body)")
    }

    /// The ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension ResponseHead: CustomStringConvertible, CustomReflectable {
    /// Version, status and header fields on one line, with secrets replaced.
    public var description: String {
        Redaction.line("HTTP/\(httpVersion.rawValue) \(statusCode) \(reasonPhrase) \(Redaction.describe(headers))")
    }

    /// The ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension SwiftyError: CustomReflectable {
    /// The ``description``, and the other properties that contain no secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "description": description, "sent": sent, "head": head as Any, "bodyBytes": body?.count ?? 0,
                "attempts": attempts,
            ]
        )
    }
}

extension Redaction {
    /// Header fields on one line, with the values of secret ones replaced.
    static func describe(_ fields: HTTPFields) -> String {
        "[\(fields.map { "\($0.name.rawName): \(redact($0))" }.joined(separator: ", "))]"
    }

    private static func redact(_ field: HTTPField) -> String {
        if isSecret(name: field.name.rawName) { return placeholder }
        return fieldsWithURI.contains(field.name.canonicalName) ? redact(reference: field.value) : field.value
    }

    private static let fieldsWithURI: Set<String> = ["location", "content-location", "referer", "link", "refresh"]
}
