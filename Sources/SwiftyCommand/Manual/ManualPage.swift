// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The lines of a manual page, with the macros of man(7).
struct ManualPage {
    private var lines: [String] = []

    /// - Parameters:
    ///   - name: The name of the page.
    ///   - version: The program and its version.
    init(name: String, version: String) {
        let words = [name.uppercased(), "1", "", version, "User Commands"].map { "\"\(Roff.text($0))\"" }
        // Without hyphens that no URL has, and without wide spaces in short lines.
        lines += [".TH \(words.joined(separator: " "))", ".nh", ".ad l"]
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// The name and the purpose, as the index of all pages (`apropos`) reads them.
    mutating func name(_ name: String, purpose: String) {
        section("NAME")
        lines.append("\(Roff.text(name)) \\- \(Roff.text(purpose))")
    }

    mutating func section(_ title: String) {
        lines.append(".SH \"\(Roff.text(title))\"")
    }

    mutating func subsection(_ title: String) {
        lines.append(".SS \"\(Roff.text(title))\"")
    }

    mutating func paragraph(_ text: String) {
        lines += [".PP", Roff.text(text)]
    }

    /// A term, which has its escapes already, and its explanation.
    mutating func definition(_ term: String, _ text: String) {
        lines += [".TP", term, Roff.text(text)]
    }

    /// Lines that are neither filled nor broken.
    mutating func verbatim(_ text: [String]) {
        lines += [".PP", ".nf"] + text.map(Roff.text) + [".fi"]
    }
}

extension ManualPage {
    mutating func add(_ blocks: [HelpText.Block]) {
        for block in blocks {
            switch block {
            case .paragraph(let text): paragraph(text)
            case .definition(let term, let text): definition(Roff.bold(term), text)
            case .examples(let lines): verbatim(lines)
            }
        }
    }
}
