// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// What a transfer does with a large content.
enum TransferKind: String, CaseIterable, ExpressibleByArgument {
    /// Receives it, part by part.
    case download
    /// Receives it into a file.
    case file
    /// Sends a file.
    case upload
    /// Receives lines of 100 bytes.
    case lines
    /// Receives server-sent events.
    case events

    /// The path of the URL that it uses.
    var path: String {
        switch self {
        case .download, .file: "huge"
        case .upload: "put/huge"
        case .lines: "lines.txt"
        case .events: "events.txt"
        }
    }
}
