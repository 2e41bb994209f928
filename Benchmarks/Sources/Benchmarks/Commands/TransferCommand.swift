// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Makes one large transfer; the process that starts this one measures it.
struct TransferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer",
        abstract: "Make one large transfer, and print the number of bytes, lines or events."
    )

    @Argument(help: "The client: swifty or async-http-client.") var client: ClientName
    @Argument(help: "What to do.") var kind: TransferKind
    @Argument(help: "The URL.") var url: String
    @Argument(help: "The file that is sent or written.") var file: String

    func run() async throws {
        switch client {
        case .swifty: print(try await SwiftyTransfer(kind: kind, url: url, file: file).run())
        case .asyncHTTPClient: print(try await AsyncHTTPClientTransfer(kind: kind, url: url, file: file).run())
        default: throw ValidationError("\(client.rawValue) has no streams here")
        }
    }
}
