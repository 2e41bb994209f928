// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import TestSupport
import Testing

@Suite("A file that is written in place", .timeLimit(.minutes(15)))
struct FileInPlaceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("has the new content alone, and stays the same file", arguments: ["", "a", "longer than before"])
    func content(text: String) throws {
        let path = folder.path("a")
        try folder.file("a", "before")
        let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        try FileInPlace.overwrite(path, with: Array(text.utf8))
        #expect(try folder.data("a") == Data(text.utf8))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == number)
    }

    @Test("is neither made, nor a symbolic link, nor a folder")
    func others() throws {
        try folder.file("a", "before")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path("a"))
        for path in [folder.path("missing"), folder.path("link"), folder.path] {
            #expect(throws: FileFailure.self) { try FileInPlace.overwrite(path, with: [1]) }
        }
        #expect(try folder.data("a") == Data("before".utf8))
        #expect(!FileManager.default.fileExists(atPath: folder.path("missing")))
    }
}
