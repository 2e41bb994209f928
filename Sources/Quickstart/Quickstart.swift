// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers

/// A tour of the library over real sockets, against an embedded server or the one of `--server URL`.
@main
enum Quickstart {
    static func main() async {
        do {
            let server = try chooseServer()
            try await Tour(of: server.url).run()
            await server.embedded?.stop()
        } catch {
            print("\nThe quickstart failed: \(error)")
            exit(1)
        }
    }

    private static func chooseServer() throws -> (url: String, embedded: LoopbackServer?) {
        let arguments = CommandLine.arguments
        guard let option = arguments.firstIndex(of: "--server") else {
            let server = try LoopbackServer()
            return (server.url, server)
        }
        guard option + 1 < arguments.count else {
            print("usage: quickstart [--server URL]")
            exit(64)
        }
        return (arguments[option + 1], nil)
    }
}
