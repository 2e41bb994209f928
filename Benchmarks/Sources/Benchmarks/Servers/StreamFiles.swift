// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The large contents of an nginx.
struct StreamFiles {
    let folder: URL

    /// A file without content on the disk, which is served as zeros.
    var huge: String { path("huge") }
    /// The file that a download writes.
    var target: String { path("target") }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Makes the files, unless they exist.
    func make(isQuick: Bool) throws {
        if FileManager.default.fileExists(atPath: huge) { return }
        // Uploads are written by nginx, which may run as another user.
        let everyone: [FileAttributeKey: Any] = [.posixPermissions: 0o777]
        try FileManager.default.createDirectory(atPath: path("put"), withIntermediateDirectories: true)
        try FileManager.default.setAttributes(everyone, ofItemAtPath: path("put"))
        let part = isQuick ? 16 : 1
        try emptyFile("huge").truncate(atOffset: UInt64((1 << 30) / part))
        try warmUp("huge")
        let line = Data((String(repeating: "x", count: 99) + "\n").utf8)
        try write("lines.txt", line, count: (256 << 20) / 100 / part)
        try write("events.txt", Data("id: 1\ndata: {\"delta\":\"hello\"}\n\n".utf8), count: 1_000_000 / part)
    }

    private func write(_ name: String, _ piece: Data, count: Int) throws {
        let block = Data(repeatElement(piece, count: 1_000).joined())
        let file = try emptyFile(name)
        for _ in 0..<count / 1_000 { try file.write(contentsOf: block) }
        try file.close()
    }

    /// Reads a file, so that the first client does not wait for the disk.
    private func warmUp(_ name: String) throws {
        let file = try FileHandle(forReadingFrom: folder.appendingPathComponent(name))
        while let part = try file.read(upToCount: 1 << 20), !part.isEmpty {}
        try file.close()
    }

    private func emptyFile(_ name: String) throws -> FileHandle {
        let url = folder.appendingPathComponent(name)
        try Data().write(to: url)
        return try FileHandle(forWritingTo: url)
    }
}
