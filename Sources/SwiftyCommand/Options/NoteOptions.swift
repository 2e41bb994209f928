// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// What is said on standard error beside errors.
struct NoteOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "No warnings and no progress on standard error; errors stay.")
    var quiet = false

    @Flag(name: [.customShort("S"), .customLong("show-error")], help: "With --quiet: warnings stay, too.")
    var showError = false

    /// Whether a person sees how far things are.
    var showsProgress: Bool { !quiet && Terminal.isError }

    /// Says what may not be as it was meant, in one line.
    func warn(_ message: String, hint: String? = nil) {
        if !quiet || showError { Console.note(message, hint: hint) }
    }
}
