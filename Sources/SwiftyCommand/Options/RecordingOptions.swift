// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SwiftyTesting
import SwiftyTransport
import WebServiceDSL

/// The files to which a request and its response are recorded.
struct RecordingOptions: ParsableArguments {
    @OptionGroup var cassette: CassetteOption

    @Option(
        help: ArgumentHelp(
            "Write the response, without its secrets, as a new mock file: NAME.http, or NAME.response.json.",
            valueName: "FILE"
        ),
        completion: .file(extensions: ["http", "json"])
    )
    var saveMock: String?

    func validate() throws {
        guard let saveMock else { return }
        if ![".http", ".response.json"].contains(where: saveMock.hasSuffix) {
            throw ValidationError("The name for --save-mock ends in .http or .response.json.")
        }
    }
}

extension RecordingOptions {
    /// Fails, before anything is sent, if the file exists or if content would be recorded that is not kept.
    func check(_ results: ResultOptions) throws {
        guard let saveMock else { return }
        if results.savesContent || results.stream {
            throw UsageError("--save-mock cannot be used with -o, -d or --stream, which do not keep the content.")
        }
        if FileManager.default.fileExists(atPath: saveMock) { throw OutputError(path: saveMock, reason: "it exists") }
    }

    /// Writes the file, if there is a response.
    func saveMock(_ delivery: Delivery) throws(PlainFailure) {
        guard let saveMock, delivery.outcome.head != nil else { return }
        do {
            try delivery.outcome.exportMock(to: AbsolutePath.of(saveMock))
        } catch {
            throw PlainFailure(error)
        }
    }
}
