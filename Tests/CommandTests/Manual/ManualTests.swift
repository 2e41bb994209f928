// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SwiftyCommand

@Suite("The manual page", .timeLimit(.minutes(15)))
struct ManualTests {
    private static let macros: Set<String> = [".TH", ".nh", ".ad", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi"]

    /// The text without the escapes of the manual.
    private func plain(_ text: String) -> String {
        let marks = ["\\fB": "", "\\fI": "", "\\fR": "", "\\(aq": "'", "\\(dq": "\"", "\\-": "-", "\\e": "\\"]
        return marks.sorted { $0.key < $1.key }.reduce(text) { $0.replacing($1.key, with: $1.value) }
    }

    @Test("is printed by an option, and has every command and every visible option with its help")
    func options() async throws {
        let run = try await Program.swifty("--generate-manual")
        #expect(run.status == 0, "\(run.errors)")
        let (command, text) = (try CommandDescription.swifty(), try Manual.text())
        #expect(run.output == text)
        let page = plain(text)
        let subcommands = try #require(command.subcommands)
        #expect(Set(subcommands.map(\.commandName)) == Set(SwiftyCommand.subcommandNames))
        for subcommand in subcommands {
            #expect(page.contains(".SH \"swifty \(subcommand.commandName)\"\n"))
            let abstract = try #require(subcommand.abstract)
            #expect(text.contains("\n\(Roff.text(abstract))\n"), "\(abstract)")
        }
        for argument in ([command] + subcommands).flatMap(\.visibleArguments) {
            for name in argument.allNames { #expect(page.contains(name), "\(name) is missing") }
            guard let abstract = argument.abstract else { continue }
            #expect(text.contains("\n\(Roff.text(abstract))"), "\(abstract)")
        }
        #expect(!page.contains("--form-by-default"))
    }

    @Test("has the sections of other manual pages, and the examples of the help")
    func sections() throws {
        let page = try Manual.text()
        let titles = page.split(separator: "\n").filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(5).dropLast() }
        #expect(titles.prefix(3) == ["NAME", "SYNOPSIS", "DESCRIPTION"])
        for title in ["OPTIONS", "EXAMPLES", "EXIT STATUS", "ENVIRONMENT", "FILES", "SEE ALSO"] {
            #expect(titles.count { $0 == title } == 1, "\(title)")
        }
        #expect(page.contains("\n.SH \"NAME\"\nswifty \\- talk to HTTP servers: "))
        #expect(plain(page).contains("\n.nf\nswifty https://example.com/ip\nswifty POST :3000/users name=Ada "))
        #expect(plain(page).contains("\nswifty bench [METHOD] URL [ITEM ...] "))
        #expect(page.contains("\n.TP\n\\fB130\\fR\ninterrupted\n"))
    }

    @Test("is ASCII, and has no line that begins with an unintended control character, and no unknown escape")
    func roff() throws {
        let page = try Manual.text()
        #expect(page.utf8.allSatisfy { $0 < 0x80 })
        #expect(page.hasPrefix(".TH \"SWIFTY\" \"1\" "))
        for line in page.split(separator: "\n") {
            #expect(!line.hasPrefix("'"), "\(line)")
            let isMacro = Self.macros.contains(String(line.prefix { $0 != " " }))
            #expect(isMacro || !line.hasPrefix("."), "\(line)")
        }
        let escape = #/\\(?:f[BIR]|\([a-z]{2}|\[u[0-9A-F]{4,6}\]|[-&e])/#
        #expect(!page.replacing(escape, with: "").contains("\\"))
    }

    @Test(
        "escapes what is special in its language",
        arguments: [
            (".response.json", "\\&.response.json"), ("'x'", "\\(aqx\\(aq"), ("a\\b", "a\\eb"), ("-v", "\\-v"),
            ("\"a\"", "\\(dqa\\(dq"), ("^~`", "\\(ha\\(ti\\(ga"), ("…", "\\[u2026]"), ("\u{1F600}", "\\[u1F600]"),
            ("é", "\\[u00E9]"), ("a.b", "a.b"), ("", ""),
        ]
    )
    func escapes(text: String, escaped: String) {
        #expect(Roff.text(text) == escaped)
    }

    @Test("takes paragraphs, terms and examples from a help")
    func help() {
        let text = HelpText(
            """
            The first paragraph.

            ITEMS (some of them):
              a b  one
              -x, -y and others
            After them.

            EXAMPLES:
              echo  x
              swifty URL
            """
        )
        #expect(text.sections.map(\.title) == [nil, "ITEMS (some of them)", "EXAMPLES"])
        #expect(text.sections[0].blocks == [.paragraph("The first paragraph.")])
        let items: [HelpText.Block] = [
            .definition(term: "a b", text: "one"), .paragraph("-x, -y and others"), .paragraph("After them."),
        ]
        #expect(text.sections[1].blocks == items)
        #expect(text.sections[2].blocks == [.examples(["echo  x", "swifty URL"])])
    }
}
