// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty
import SwiftyCurl

/// `swifty version`: what this is made of.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the versions of Swifty, libcurl and TLS, and which libcurl advisories are countered.",
        discussion: """
            EXAMPLES:
              swifty version
              swifty version --output json
            """
    )

    @Option(help: ArgumentHelp("How to print.", valueName: "text|json"))
    var output: OutputFormat = .text

    func run() throws {
        let library = CurlLibrary.linked
        try Console.write(output == .json ? Self.json(library).text + "\n" : Self.text(library))
    }

    private static func text(_ library: CurlLibrary?) -> String {
        var text = "swifty \(SwiftyVersion.current)\n"
        if let library {
            let parts = [library.tls, library.zlib.map { "zlib \($0)" }, library.nghttp2.map { "nghttp2 \($0)" }]
            text += (["libcurl \(library.version)"] + parts.compactMap(\.self)).joined(separator: ", ") + "\n"
            text += "features: \(library.features.joined(separator: " "))\n"
        }
        text += """

            advisories of libcurl that do not reach Swifty, whether this libcurl has them or not (its version does not
            tell: distributions mend without changing it); against all others, keep libcurl up to date:

            """
        for advisory in Advisory.countered {
            text += "  \(advisory.identifiers.joined(separator: ", "))\n"
            text += "    \(advisory.weakness): \(advisory.countermeasure)\n"
        }
        return text
    }

    private static func json(_ library: CurlLibrary?) -> JSONValue {
        .members([
            "swifty": .string(SwiftyVersion.current),
            "libcurl": .optional(library?.version),
            "tls": .optional(library?.tls),
            "zlib": .optional(library?.zlib),
            "nghttp2": .optional(library?.nghttp2),
            "features": .array((library?.features ?? []).map(JSONValue.string)),
            "counteredAdvisories": .array(Advisory.countered.flatMap(\.identifiers).map(JSONValue.string)),
        ])
    }
}
