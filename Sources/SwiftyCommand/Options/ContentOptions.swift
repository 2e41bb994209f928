// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// What is sent beside the items.
struct ContentOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The whole content: text, or the content of a file.", valueName: "TEXT|@FILE"))
    var data: String?

    @Flag(help: "Send the fields as a form (application/x-www-form-urlencoded).")
    var form = false

    @Flag(help: "Send the fields, and files, as multipart/form-data.")
    var multipart = false

    @Flag(help: "Send the fields as JSON (the default), and ask for JSON.")
    var json = false

    @Flag(help: "Never read standard input, even if it is a pipe.")
    var ignoreStdin = false

    func validate() throws {
        if [form, multipart, json].count(where: \.self) > 1 {
            throw ValidationError("Use only one of --form, --multipart and --json.")
        }
    }

    var mode: ContentPlanner.Mode? {
        form ? .form : multipart ? .multipart : json ? .json : nil
    }
}

extension ContentOptions {
    /// Standard input, if it is the content: asked for by `-`, or a pipe or file that is connected to a request whose
    /// method carries content and that has no other.
    func input(for line: RequestLine) throws(UsageError) -> Data? {
        if line.readsInput && ignoreStdin { throw UsageError("\"-\" and --ignore-stdin contradict each other.") }
        let isImplied =
            !ignoreStdin && data == nil && !line.items.contains(where: \.isContent)
            && ["POST", "PUT", "PATCH"].contains(line.method) && Terminal.isInputConnected
        guard line.readsInput || isImplied else { return nil }
        let content = FileHandle.standardInput.readDataToEndOfFile()
        return content.isEmpty && isImplied ? nil : content
    }
}
