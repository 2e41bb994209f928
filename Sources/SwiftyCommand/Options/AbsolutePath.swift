// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Paths as the shell means them.
enum AbsolutePath {
    static func of(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }
}
