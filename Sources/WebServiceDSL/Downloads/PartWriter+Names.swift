// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension PartWriter {
    /// The number of names that are tried for a file that must be new.
    private static let nameLimit = 10_000

    /// Gives the content its final name in a folder.
    ///
    /// - Returns: The path, whose name has a number if there was a file of that name and both are kept.
    func commit(
        as name: String,
        in target: DownloadTarget,
        _ existing: DownloadOptions.ExistingFile
    ) throws(FileFailure) -> String {
        let path = target.path(of: name)
        guard existing == .keepBoth else {
            try commit(to: path, replacing: existing == .replace)
            return path
        }
        return try commitNew { number in
            number == 0 ? path : target.path(of: DownloadFileName.numbered(name, number))
        }
    }

    /// Gives the content the first name that no file has.
    private func commitNew(_ path: (Int) -> String) throws(FileFailure) -> String {
        for number in 0..<Self.nameLimit {
            do throws(FileFailure) {
                try commit(to: path(number), replacing: false)
                return path(number)
            } catch {
                guard error.kind == .exists else { throw error }
            }
        }
        throw FileFailure(errorNumber: FileFailure.exists)
    }
}

extension DownloadFileName {
    /// The name with a number before its extension.
    package static func numbered(_ name: String, _ number: Int) -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        return "\(name[..<dot])-\(number)\(name[dot...])"
    }
}
