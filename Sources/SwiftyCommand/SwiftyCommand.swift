// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty

/// The command: `send` unless another subcommand is named.
struct SwiftyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swifty",
        abstract: "Talk to HTTP servers: send requests, measure servers, turn curl commands into Swift.",
        discussion: """
            "swifty URL" is short for "swifty send URL"; "swifty send --help" explains its items and options.

            EXAMPLES:
              swifty https://example.com/ip
              swifty POST :3000/users name=Ada age:=36 X-Id:1
              swifty -d https://example.com/archive.zip
              swifty --output json https://example.com/ip | jq .timings
              swifty bench :3000/ -n 10000 -c 64

            EXIT STATUS:
              0    fine, whatever the server answered
              1    another error
              2    a time limit was reached
              3 4 5  with --check-status: the server answered 3xx, 4xx, 5xx
              6    too many redirects, or redirects in a circle
              7    no connection: name, address, port, proxy, TLS, version of HTTP
              64   wrong usage: arguments, files, settings that cannot be used
              130  interrupted
            """,
        version: "swifty \(SwiftyVersion.current)",
        subcommands: [Send.self, Bench.self, Batch.self, Import.self, Serve.self, VersionCommand.self],
        defaultSubcommand: Send.self
    )
}
