// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCommand

@Suite("A message on standard error", .timeLimit(.minutes(15)))
struct NoteTextTests {
    private let note = NoteText("one two three four", hint: "five six seven eight")

    @Test("is one line with the hint in parentheses, without control characters")
    func line() {
        #expect(note.line == "swifty: one two three four (five six seven eight)")
        #expect(NoteText("a\nb\u{1B}", hint: nil).line == "swifty: a b\\u{1B}")
    }

    @Test("fits a terminal, with the hint on its own lines")
    func lines() {
        #expect(note.lines(columns: 80) == note.line)
        #expect(note.lines(columns: 30) == "swifty: one two three four\n  five six seven eight")
        #expect(note.lines(columns: 18) == "swifty: one two\n  three four\n  five six seven\n  eight")
    }

    @Test("keeps long words whole")
    func words() {
        #expect(NoteText("0123456789 a", hint: nil).lines(columns: 8) == "swifty:\n  0123456789\n  a")
    }
}
