// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty

/// The command: `send` unless another subcommand is named.
struct SwiftyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swifty",
        abstract: "Talk to HTTP servers: send requests, measure servers, turn curl commands into Swift.",
        usage: """
            swifty [METHOD] URL [ITEM ...] [<options>]
            swifty <subcommand> …
            """,
        discussion: """
            "swifty URL" is short for "swifty send URL". All items and options of a request: swifty send --help

            OPTIONS OF A REQUEST (the most used ones):
              -v, -H, -b, -m           print more, the head, the content, the timings
              -o FILE, -d, -C          save the content; continue that
              --stream                 print the content as it arrives
              -a USER:PASS|TOKEN       log in
              -j, --form, --multipart  how name=value fields are sent
              --data TEXT|@FILE, -T FILE  content instead of fields
              -X METHOD, --follow, --timeout SECONDS, --retry N, --verify no, --proxy URL
              --check-status, --output json, --dry-run, -q
              and many names of curl and HTTPie: -L, -k, -u, -i, -I, -s …

            EXAMPLES:
              swifty https://example.com/ip
              swifty POST :3000/users name=Ada age:=36 X-Id:1
              swifty -d https://example.com/archive.zip
              swifty --output json https://example.com/ip | jq .timings
              swifty bench :3000/ -n 10000 -c 64

            EXIT STATUS:
              0    success, whatever the status of the response (not with -o, -d)
              1    another error
              2    a time limit was reached
              3 4 5  with --check-status, -o or -d: the response is 3xx, 4xx, 5xx
              6    too many redirects, or a redirect loop
              7    no connection: name, address, port, proxy, TLS, HTTP version
              23   standard output or a file could not be written
              64   wrong usage: arguments, files or settings that cannot be used
              130  interrupted

            COMPLETION (a line of ~/.bashrc, ~/.zshrc after compinit, config.fish):
              bash  source <(swifty --generate-completion-script bash)
              zsh   source <(swifty --generate-completion-script zsh)
              fish  swifty --generate-completion-script fish | source

            MANUAL:
              swifty --generate-manual | man -l -
            """,
        version: "swifty \(SwiftyVersion.current)",
        subcommands: [
            Send.self, Bench.self, Batch.self, Curl.self, Import.self, Serve.self, Export.self, VersionCommand.self,
        ],
        defaultSubcommand: Send.self
    )

    /// What the command prints without arguments.
    static let firstPage = """
        swifty sends HTTP requests, and prints the responses.

          swifty https://example.com/               one request
          swifty POST :3000/users name=Ada age:=36  JSON to http://localhost:3000/users
          swifty -v --follow https://example.com/   with redirects, and all that is sent

        swifty help         the most used options, examples, exit statuses
        swifty send --help  all options of a request
        swifty serve        a test server, for first tries

        """

    /// The first arguments that do not begin a request.
    static let subcommandNames = configuration.subcommands.map { $0._commandName } + ["help"]
}
