// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Runs the server that floods, for the parent process.
struct FloodCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "flood", abstract: "Flood.")

    @Argument(help: "The kind of flood.") var flood: Flood
    @Argument(help: "The port.") var port: Int
    @Argument(help: "The PEM file of the certificate.") var certificate: String
    @Argument(help: "The PEM file of its key.") var key: String

    func run() async throws {
        try await FloodServer(flood: flood, port: port, certificate: certificate, key: key).run()
    }
}

extension Flood: ExpressibleByArgument {}
