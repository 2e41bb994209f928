// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

extension ParsableCommand {
    /// Prints figures for the parent process.
    func tell(_ figures: [String: Figures]) throws {
        FileHandle.standardOutput.write(try JSONEncoder().encode(figures))
    }
}

/// A value that this program passes to its subcommands as JSON.
struct JSONArgument<Value: Codable & Sendable>: ExpressibleByArgument, Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }

    init?(argument: String) {
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(argument.utf8)) else { return nil }
        self.value = value
    }

    /// The value as an argument of a command line.
    var text: String {
        get throws { String(decoding: try JSONEncoder().encode(value), as: UTF8.self) }
    }
}
