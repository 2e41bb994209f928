// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SwiftyTesting

/// `swifty export FILE FOLDER`: recorded answers as mock files.
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write recorded answers (HAR) as mock files.",
        discussion: """
            A file has the template or the path of its requests, and their method: users/{user}/repos.GET.http. \
            Several answers to one request become a sequence in one file; binary content becomes Base64 in a file \
            .response.json. Fields of the connection are left out and secrets are replaced. The names of the files are \
            printed.

            "serve --mocks FOLDER" serves the files, and tests find them by convention; see Docs/Testing.md.

            EXAMPLES:
              swifty https://api.example.com/users/7 --record session.har
              swifty export session.har Mocks/Users
            """
    )

    @Argument(
        help: ArgumentHelp("The file that --record, a browser or a proxy has made.", valueName: "FILE"),
        completion: .file(extensions: ["har"])
    )
    var file: String

    @Argument(
        help: ArgumentHelp("The folder, made if it does not exist.", valueName: "FOLDER"),
        completion: .directory
    )
    var folder: String

    @Flag(help: "Replace files that exist.")
    var force = false

    @Flag(help: "Leave JSON on one line as it is, instead of giving each member a line.")
    var exact = false

    func run() async throws {
        var options = MockExport()
        options.overwrites = force
        options.indentsJSON = !exact
        let (names, note) = try await PlainFailure.catching {
            let cassette = try Cassette(contentsOf: file)
            return (try cassette.exportMocks(to: folder, options), cassette.skippingNote)
        }
        if let note { Console.note(note) }
        try Console.write(names.map { "\(VisibleText.line("\(folder)/\($0)"))\n" }.joined())
    }
}
