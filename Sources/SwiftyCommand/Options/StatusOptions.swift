// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Whether the status of an answer decides about the status of the command.
struct StatusOptions: ParsableArguments {
    @Flag(help: "End with 3, 4 or 5 if the server answers 3xx, 4xx or 5xx.")
    var checkStatus = false
}
