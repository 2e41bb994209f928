// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

/// The format of a mock file, known by its name.
package enum MockFormat: Sendable {
    /// `repositories.http`: responses as HTTP messages, with status, fields and content; see `Docs/Testing.md`.
    case messages
    /// `repositories.response.json`: JSON objects with the members `status`, `headers` and `body`, one or an array.
    case envelope
    /// Anything else, such as `repositories.json`: the content of a response with status 200.
    case content

    package init(ofFileNamed name: String) {
        if name.hasSuffix(".http") {
            self = .messages
        } else if name.hasSuffix(".response.json") {
            self = .envelope
        } else {
            self = .content
        }
    }

    /// Whether a file in this format has the status and the fields of its responses.
    package var hasHead: Bool { self != .content }

    func responses(
        in bytes: Data,
        of path: String,
        _ variables: MockVariables
    ) throws(MockSyntaxError) -> [MockResponse] {
        switch self {
        case .messages:
            return try MockMessageParser.responses(in: Array(bytes), variables)
        case .envelope:
            return try MockEnvelope.responses(in: Array(bytes), variables)
        case .content:
            let type = MediaType.forFile(named: path)
            let content = variables.fillKnown(Array(bytes), isJSON: MediaType.isJSON(type))
            return [MockResponse(status: 200, headers: [.contentType: type], content: Data(content))]
        }
    }
}

/// A fault in a mock file.
struct MockSyntaxError: Error {
    /// 1-based.
    let line: Int
    let reason: String

    init(_ line: Int, _ reason: String) {
        (self.line, self.reason) = (line, reason)
    }
}
