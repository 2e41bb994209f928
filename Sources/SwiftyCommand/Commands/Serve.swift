// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SwiftyTesting

/// `swifty serve`: the test server, for experiments.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve httpbin's most used routes on 127.0.0.1, until Ctrl-C.",
        discussion: """
            Among the routes are /get, /post, /anything, /headers, /ip, /status/404, /delay/2, /bytes/1000, /gzip, \
            /json, /redirect/3, /basic-auth/user/pass, /bearer, /cookies, /drip, /stream/10.

            EXAMPLES:
              swifty serve --port 3000
              swifty :3000/anything name=Ada
            """
    )

    @Option(help: ArgumentHelp("The port; a free one unless given.", valueName: "P"))
    var port: UInt16 = 0

    func run() async throws {
        let server: LoopbackServer
        do {
            server = try LoopbackServer(port: port)
        } catch {
            Console.note("port \(port) cannot be opened: \(error)")
            throw ExitCode(ExitStatus.failure.rawValue)
        }
        try Console.write("\(server.url)\n")
        await withCheckedContinuation { continuation in
            Interruption.shared.onInterrupt { continuation.resume() }
        }
        await server.stop()
        throw ExitCode(ExitStatus.interrupted.rawValue)
    }
}
