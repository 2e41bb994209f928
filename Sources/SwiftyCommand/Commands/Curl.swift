// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `swifty curl …`: sends the request of a curl command line.
struct Curl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send the request of a curl command line, as it is.",
        discussion: """
            Put "swifty" in front of any curl command; all options have the meaning that they have in curl, and the \
            output is curl's, too. Options that only change messages are named on standard error and left out; one \
            that cannot be left out is an error.

            EXAMPLES:
              swifty curl -sSL -H 'Accept: text/html' https://example.com/
              swifty curl -d a=1 -d b=2 :8080/form
              swifty curl -X GET --json '{"query":{"match_all":{}}}' :9200/_search
            """
    )

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The options and the URL of curl.", valueName: "arguments")
    )
    var words: [String] = []

    func run() async throws {
        if words == ["--help"] || words == ["-h"] { throw CleanExit.helpRequest(Self.self) }
        let call = try CURLCall(words)
        let send = try Send.parse(call.arguments)
        if !call.dropped.isEmpty {
            send.request.notes.warn("not carried over: \(call.dropped.joined(separator: ", "))")
        }
        try await send.run()
    }
}
