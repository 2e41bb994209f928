// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

@main
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmarks",
        abstract: "Swifty beside other clients, against the same local server in the same run.",
        subcommands: [
            RunCommand.self, LoadCommand.self, HoldCommand.self, BuildCommand.self, HookCommand.self, ServeCommand.self,
            BesideCommand.self, FloodCommand.self, TransferCommand.self,
        ],
        defaultSubcommand: RunCommand.self
    )
}
