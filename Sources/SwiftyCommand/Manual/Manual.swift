// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty

/// The manual page, made from the help.
struct Manual {
    /// The argument that prints the page.
    static let option = "--generate-manual"

    private let command: CommandDescription
    private var page = ManualPage(name: "swifty", version: "swifty \(SwiftyVersion.current)")
    /// The options that are described already, with their help.
    private var described: Set<String> = []

    static func text() throws -> String {
        var manual = Manual(command: try CommandDescription.swifty())
        manual.write()
        return manual.page.text
    }

    private init(command: CommandDescription) {
        self.command = command
    }

    private mutating func write() {
        let abstract = command.abstract ?? ""
        page.name("swifty", purpose: "\(abstract.prefix(1).lowercased())\(abstract.dropFirst())")
        page.section("SYNOPSIS")
        page.verbatim((SwiftyCommand.configuration.usage ?? "").split(separator: "\n").map(String.init))
        let sections = HelpText(command.discussion ?? "").sections
        // The most used options come before the commands, everything else after them.
        let isFirst = { (section: HelpText.Section) in section.title?.hasPrefix("OPTIONS") ?? true }
        for section in sections where isFirst(section) { write(section, title: section.title ?? "DESCRIPTION") }
        page.section("OPTIONS")
        write(command.visibleArguments)
        for subcommand in command.subcommands ?? [] { write(subcommand) }
        for section in sections where !isFirst(section) { write(section, title: section.title ?? "") }
        for section in HelpText(Self.additions).sections.dropFirst() { write(section, title: section.title ?? "") }
    }

    private mutating func write(_ section: HelpText.Section, title: String) {
        page.section(title)
        page.add(section.blocks)
    }

    /// What the help of an option, or the page of a folder, says in its place.
    private static let additions = """
        ENVIRONMENT:
          NO_COLOR  no colours, except with --color always
          TERM  no colours if it is "dumb"
          SWIFTY_CONFIG_DIR  the folder of config.json and of the sessions
          XDG_CONFIG_HOME  the folder that has "swifty", without SWIFTY_CONFIG_DIR; else ~/.config
          SWIFTY_RECORD  what --record does: once, all, new, none
          http_proxy, https_proxy, all_proxy, no_proxy  the proxy, only with --proxy-env

        FILES:
          ~/.config/swifty/config.json  options for every request: {"defaultOptions": ["--follow", "--timeout=30"]}
          ~/.config/swifty/sessions  the files of --session

        SEE ALSO:
          curl(1), jq(1); the folder Docs of the project: CLI.md, CLI-Output.md, CLI-Recording.md, CLI-Curl.md
        """
}

extension Manual {
    private mutating func write(_ subcommand: CommandDescription) {
        page.section("swifty \(subcommand.commandName)")
        page.paragraph(subcommand.abstract ?? "")
        page.verbatim(Self.usage(subcommand.commandName))
        let sections = HelpText(subcommand.discussion ?? "").sections
        for section in sections where section.title != "EXAMPLES" { write(partOf: section) }
        writeOptions(of: subcommand)
        for section in sections where section.title == "EXAMPLES" { write(partOf: section) }
    }

    private mutating func write(partOf section: HelpText.Section) {
        if let title = section.title { page.subsection(title) }
        page.add(section.blocks)
    }

    /// The lines of a subcommand's usage. That of `help` belongs to the parser.
    private static func usage(_ name: String) -> [String] {
        let subcommand = SwiftyCommand.configuration.subcommands.first { $0._commandName == name }
        let usage = subcommand.map { SwiftyCommand.usageString(for: $0) } ?? "swifty \(name) [<subcommand>]"
        return usage.split(separator: "\n").map(String.init)
    }

    /// Describes the options in the groups of the help. Those that an earlier command describes are only named.
    private mutating func writeOptions(of subcommand: CommandDescription) {
        let arguments = subcommand.visibleArguments.filter { $0.abstract != nil && !Self.isCommon($0) }
        let own = arguments.filter { !described.contains(Self.key($0)) }
        let others = arguments.filter { described.contains(Self.key($0)) }
        let titles = own.map { $0.sectionTitle ?? "Options" }
        for (index, title) in titles.enumerated() where titles.firstIndex(of: title) == index {
            page.subsection(title)
            write(own.filter { ($0.sectionTitle ?? "Options") == title })
        }
        if others.isEmpty { return }
        page.subsection("Options of swifty send")
        let names = others.map { $0.allNames.joined(separator: ", ") }
        page.paragraph("With the same meaning: \(names.joined(separator: "; ")).")
    }

    /// Whether every command has the option.
    private static func isCommon(_ argument: ArgumentDescription) -> Bool {
        argument.allNames.contains("--version") || argument.allNames.contains("--help")
    }

    /// Describes options. Flags with the same help, such as --follow and --no-follow, are described together.
    private mutating func write(_ arguments: [ArgumentDescription]) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            var terms = [argument.term]
            while let next = rest.first, next.kind == "flag", argument.kind == "flag", next.text == argument.text {
                terms.append(next.term)
                rest.removeFirst()
            }
            page.definition(terms.joined(separator: ", "), argument.text)
        }
        described.formUnion(arguments.map(Self.key))
    }

    /// The names and the help: options with the same key are one option.
    private static func key(_ argument: ArgumentDescription) -> String {
        argument.allNames.joined(separator: " ") + argument.text
    }
}
