// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BenchmarkKit

/// Runs the small server for the parent process.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: SmallServer.argument, abstract: "Serve.")

    func run() throws {
        throw ExitCode(SmallServer.serve())
    }
}
