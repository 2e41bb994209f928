// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// A command or a subcommand, as the parser describes it in JSON.
struct CommandDescription: Decodable {
    private struct Tool: Decodable {
        let command: CommandDescription
    }

    let commandName: String
    let abstract: String?
    let discussion: String?
    let subcommands: [CommandDescription]?
    let arguments: [ArgumentDescription]?

    /// The whole command, with its subcommands.
    static func swifty() throws -> CommandDescription {
        try JSONDecoder().decode(Tool.self, from: Data(SwiftyCommand._dumpHelp().utf8)).command
    }

    var visibleArguments: [ArgumentDescription] { (arguments ?? []).filter(\.shouldDisplay) }
}

/// An option, a flag or a positional argument.
struct ArgumentDescription: Decodable {
    struct Name: Decodable {
        let kind: String
        let name: String

        /// The name with its hyphens.
        var text: String { kind == "long" ? "--\(name)" : "-\(name)" }
    }

    let kind: String
    let shouldDisplay: Bool
    let sectionTitle: String?
    let names: [Name]?
    let valueName: String?
    let defaultValue: String?
    let abstract: String?

    /// The names with their hyphens, the short one first.
    var allNames: [String] { (names ?? []).map(\.text).sorted { $0.count < $1.count } }

    /// The help, with the default value.
    var text: String {
        [abstract, defaultValue.map { "(default: \($0))" }].compactMap { $0 }.joined(separator: " ")
    }

    /// The names and the value, with the escapes of a manual page.
    var term: String {
        let value = kind == "flag" ? nil : valueName.map(Roff.italic)
        let names = allNames.isEmpty ? nil : allNames.map(Roff.bold).joined(separator: ", ")
        return [names, value].compactMap { $0 }.joined(separator: " ")
    }
}
