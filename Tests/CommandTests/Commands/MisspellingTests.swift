// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCommand

@Suite("A misspelt subcommand", .timeLimit(.minutes(15)))
struct MisspellingTests {
    @Test(
        "is recognised",
        arguments: [
            ("sned", "send"), ("benhc", "bench"), ("serv", "serve"), ("imprt", "import"), ("exprot", "export"),
            ("verison", "version"), ("btach", "batch"), ("crul", "curl"), ("hlep", "help"),
        ]
    )
    func near(word: String, name: String) {
        #expect(Misspelling.subcommand(for: word) == name)
    }

    @Test("of a method is recognised as well", arguments: [("gte", "GET"), ("psot", "POST"), ("delte", "DELETE")])
    func method(word: String, name: String) {
        #expect(Misspelling.hint(for: word) == "Did you mean \(name)?")
    }

    @Test(
        "is not seen in a subcommand, a method, a host or an option",
        arguments: ["send", "bench", "patch", "PATCH", "get", "example.com", "localhost", ":3000/", "--serv", "", "ab"]
    )
    func far(word: String) {
        #expect(Misspelling.hint(for: word) == nil)
    }
}
