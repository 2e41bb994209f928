// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A folder that is removed when this object is released.
package final class TemporaryFolder: Sendable {
    package let url: URL

    /// Makes a folder.
    ///
    /// - Parameter permissions: The permissions; `nil` for the system's.
    package init(permissions: Int? = nil) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "swifty-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: permissions.map { [.posixPermissions: $0] }
        )
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of the folder.
    package var path: String { url.path }

    /// The path of a file, which need not exist.
    package func path(_ name: String) -> String { url.appending(path: name).path }

    /// Makes a file.
    @discardableResult
    package func file(_ name: String, _ content: Data = Data()) throws -> URL {
        let file = url.appending(path: name)
        try content.write(to: file)
        return file
    }

    @discardableResult
    package func file(_ name: String, _ content: String) throws -> URL {
        try file(name, Data(content.utf8))
    }

    /// The content of a file.
    package func data(_ name: String) throws -> Data {
        try Data(contentsOf: url.appending(path: name))
    }

    /// The lines of a file; empty if there is no such file.
    package func lines(_ name: String) -> [String] {
        let text = String(decoding: (try? data(name)) ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }
}

/// The folder of this package.
package enum Repository {
    package static var root: URL {
        URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    }
}
