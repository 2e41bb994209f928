// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BenchmarkKit

/// Is the small server, for the process that has started this one.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: SmallServer.argument, abstract: "Serve.")

    func run() throws {
        throw ExitCode(SmallServer.serve())
    }
}
