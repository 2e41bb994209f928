// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The method as an option, as curl has it.
struct MethodOption: ParsableArguments {
    @Option(
        name: [.customShort("X"), .customLong("request")],
        help: ArgumentHelp("The method, if it is not before the URL.", valueName: "METHOD")
    )
    var method: String?
}
