// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The parts of a help's discussion: paragraphs, and lines below headings in capitals.
struct HelpText: Equatable {
    enum Block: Equatable {
        case paragraph(String)
        /// A line with a term, at least two spaces and an explanation.
        case definition(term: String, text: String)
        case examples([String])
    }

    struct Section: Equatable {
        /// The heading without its colon; `nil` for the beginning.
        var title: String?
        var blocks: [Block] = []
    }

    private(set) var sections: [Section] = [Section()]

    init(_ text: String) {
        for line in text.split(separator: "\n") { add(String(line)) }
    }

    private mutating func add(_ line: String) {
        if line.hasPrefix("  ") {
            addIndented(String(line.drop { $0 == " " }))
        } else if Self.isHeading(line) {
            sections.append(Section(title: String(line.dropLast())))
        } else {
            append(.paragraph(line))
        }
    }

    private mutating func addIndented(_ line: String) {
        if sections[sections.count - 1].title == "EXAMPLES" || line.hasPrefix("swifty ") {
            append(example: line)
        } else if let gap = line.firstRange(of: "  ") {
            let text = line[gap.upperBound...].drop { $0 == " " }
            append(.definition(term: String(line[..<gap.lowerBound]), text: String(text)))
        } else {
            append(.paragraph(line))
        }
    }

    private mutating func append(example line: String) {
        let last = sections.count - 1
        if case .examples(let lines)? = sections[last].blocks.last {
            sections[last].blocks.removeLast()
            append(.examples(lines + [line]))
        } else {
            append(.examples([line]))
        }
    }

    private mutating func append(_ block: Block) {
        sections[sections.count - 1].blocks.append(block)
    }

    /// Whether the line is one like `EXAMPLES:` or `OPTIONS OF A REQUEST (the most used ones):`.
    private static func isHeading(_ line: String) -> Bool {
        let words = line.prefix { $0 != "(" && $0 != ":" }
        return line.hasSuffix(":") && !words.isEmpty && words.allSatisfy { $0.isUppercase || $0 == " " }
    }
}
