// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The named session of a request.
struct SessionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep header fields, login and cookies under this name, or in this file, for later requests.",
            valueName: "NAME|FILE"
        )
    )
    var session: String?

    @Option(help: ArgumentHelp("Use a session, and do not change it.", valueName: "NAME|FILE"))
    var sessionReadOnly: String?

    func validate() throws {
        if session != nil, sessionReadOnly != nil {
            throw ValidationError("Use only one of --session and --session-read-only.")
        }
    }
}

extension SessionOptions {
    /// The session; `nil` if none is named.
    func named(folder: String) throws(UsageError) -> NamedSession? {
        guard let name = session ?? sessionReadOnly else { return nil }
        return try NamedSession(name, folder: folder, isReadOnly: session == nil)
    }
}
