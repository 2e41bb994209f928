// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty
import SwiftyCurl

/// `swifty version`: the versions of Swifty and its libraries.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the versions of Swifty, libcurl and TLS, and which libcurl advisories are countered.",
        discussion: """
            nghttp2 speaks HTTP/2; if it is not named, HTTP/2 is not offered.

            EXAMPLES:
              swifty version
              swifty version --output json
            """
    )

    @Option(help: ArgumentHelp("The format of the output.", valueName: "text|json"))
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

            advisories of libcurl that do not affect Swifty, whether this libcurl is vulnerable or not (its version does
            not show that: distributions fix bugs without changing it); for all others, keep libcurl up to date:

            """
        for advisory in Advisory.countered {
            text += "  \(advisory.identifiers.joined(separator: ", "))\n"
            text += "    \(advisory.weakness): \(advisory.countermeasure)\n"
        }
        return text
    }

    private static func json(_ library: CurlLibrary?) -> JSONOutput {
        .members([
            "swifty": .string(SwiftyVersion.current),
            "libcurl": .optional(library?.version),
            "tls": .optional(library?.tls),
            "zlib": .optional(library?.zlib),
            "nghttp2": .optional(library?.nghttp2),
            "features": .array((library?.features ?? []).map(JSONOutput.string)),
            "counteredAdvisories": .array(Advisory.countered.flatMap(\.identifiers).map(JSONOutput.string)),
        ])
    }
}

/// A known vulnerability of libcurl that does not affect Swifty, whatever the version, because of how it uses libcurl.
struct Advisory {
    let identifiers: [String]
    let weakness: String
    let countermeasure: String

    static let countered: [Advisory] = [
        Advisory(
            identifiers: ["CVE-2026-11856"],
            weakness: "Digest credentials reach the next origin when a handle is reused",
            countermeasure: "libcurl is given no credentials"
        ),
        Advisory(
            identifiers: ["CVE-2026-8927", "CVE-2026-6253"],
            weakness: "a proxy's credentials reach another proxy",
            countermeasure: "one proxy for each transport; libcurl follows no redirects"
        ),
        Advisory(
            identifiers: ["CVE-2026-6429"],
            weakness: "a netrc password leaks on a redirect",
            countermeasure: "no netrc file is read"
        ),
        Advisory(
            identifiers: ["CVE-2026-8932"],
            weakness: "a connection of another client certificate is reused",
            countermeasure: "a transport of its own for each identity"
        ),
        Advisory(
            identifiers: ["CVE-2026-8924", "CVE-2026-6276"],
            weakness: "cookies for a whole suffix, or for a stale Host",
            countermeasure: "libcurl's cookie engine is off"
        ),
        Advisory(
            identifiers: ["CVE-2026-10536"],
            weakness: "use after free with stream dependencies",
            countermeasure: "stream dependencies are never set"
        ),
        Advisory(
            identifiers: ["CVE-2026-1965", "CVE-2026-5545", "CVE-2026-8458"],
            weakness: "connections of different Negotiate users are mixed up",
            countermeasure: "Negotiate and NTLM are never on"
        ),
        Advisory(
            identifiers: ["CVE-2026-4873", "CVE-2026-8286"],
            weakness: "mail protocols and STARTTLS",
            countermeasure: "only http and https are allowed"
        ),
    ]
}
