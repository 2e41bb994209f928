// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import TestSupport
import Testing

@Suite("A locked file", .timeLimit(.minutes(15)))
struct LockedFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func kind(of body: () throws(FileFailure) -> Void) -> FileFailure.Kind? {
        do throws(FileFailure) {
            try body()
            return nil
        } catch {
            return error.kind
        }
    }

    @Test("is written, cut, read and measured")
    func content() throws {
        let file = try LockedFile.make(at: folder.path("a"))
        #expect(file.wasEmpty)
        try Array("hello world".utf8).withUnsafeBytes { try file.put($0, at: 0) }
        try Array("W".utf8).withUnsafeBytes { try file.put($0, at: 6) }
        #expect(try folder.data("a") == Data("hello World".utf8))
        try file.resize(to: 7)
        try file.synchronize()
        #expect(try file.size() == 7)
        var buffer = [UInt8](repeating: 0, count: 10)
        let count = try buffer.withUnsafeMutableBytes { try file.take(into: $0, at: 2) }
        #expect(buffer[..<count] == Array("llo W".utf8)[...])
    }

    @Test("has one holder, until that ends")
    func lock() throws {
        var holder: LockedFile? = try LockedFile.make(at: folder.path("a"))
        #expect(holder?.wasEmpty == true)
        #expect(kind { () throws(FileFailure) in _ = try LockedFile.make(at: folder.path("a")) } == .inUse)
        holder = nil
        #expect(kind { () throws(FileFailure) in _ = try LockedFile.make(at: folder.path("a")) } == nil)
    }

    @Test("is the one at its path, even if the holder before renamed it")
    func renamed() throws {
        var holder: LockedFile? = try LockedFile.make(at: folder.path("a"))
        try FilePlace.move(folder.path("a"), replacing: folder.path("b"))
        let next = try LockedFile.make(at: folder.path("a"))
        #expect(holder?.path == next.path)
        holder = nil
        try Array("x".utf8).withUnsafeBytes { try next.put($0, at: 0) }
        #expect(try folder.data("b").isEmpty)
    }

    @Test("is not a link, a folder, a pipe or a file with another name")
    func refused() throws {
        try folder.file("file")
        #expect(symlink(folder.path("file"), folder.path("link")) == 0)
        #expect(link(folder.path("file"), folder.path("second")) == 0)
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        for path in ["link", "file", "second", "pipe", ".", "missing/a", "file/a"] {
            let path = folder.path + "/" + path
            #expect(kind { () throws(FileFailure) in _ = try LockedFile.make(at: path) } == .other, "\(path)")
        }
    }
}

@Suite("The names of files", .timeLimit(.minutes(15)))
struct FilePlaceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("begin at the root in an absolute path")
    func absolute() {
        let folder = FileManager.default.currentDirectoryPath
        #expect(FilePlace.absolute("a/../b.txt") == "\(folder)/a/../b.txt")
        #expect(FilePlace.absolute("./b.txt") == "\(folder)/./b.txt")
        for path in ["/", "/tmp/a", ""] { #expect(FilePlace.absolute(path) == path) }
    }

    @Test("lead to what is there")
    func occupants() throws {
        try folder.file("file")
        let place = folder.path
        #expect(symlink("file", place + "/link") == 0)
        #expect(symlink(".", place + "/folderLink") == 0)
        #expect(symlink("nothing", place + "/dangling") == 0)
        #expect(mkfifo(place + "/pipe", 0o600) == 0)
        let expected: [(String, FilePlace.Occupant)] = [
            ("file", .regularFile), ("link", .link), ("dangling", .link), ("folderLink", .folder), (".", .folder),
            ("pipe", .other), ("missing", .nothing), ("missing/file", .nothing),
        ]
        for (name, occupant) in expected {
            #expect(try FilePlace.occupant(of: "\(place)/\(name)") == occupant, "\(name)")
        }
        #expect(throws: FileFailure.self) { try FilePlace.occupant(of: "\(place)/file/a") }
    }

    @Test(
        "have a folder",
        arguments: [("a", ".", "a"), ("/a", "/", "a"), ("b/a", "b", "a"), ("/c/b/a", "/c/b", "a"), ("b/", "b", "")]
    )
    func split(path: String, folder: String, name: String) {
        let parts = FilePlace.split(path)
        #expect(parts.folder == folder && parts.name == name)
    }

    @Test("are given to new content at once, and to none that may not replace another")
    func moving() throws {
        try folder.file("a", "1")
        try FilePlace.move(folder.path("a"), toNew: folder.path("b"))
        try folder.file("a", "2")
        #expect(throws: FileFailure(errorNumber: FileFailure.exists)) {
            try FilePlace.move(folder.path("a"), toNew: folder.path("b"))
        }
        try FilePlace.move(folder.path("a"), replacing: folder.path("b"))
        try AtomicFileWriter.replaceOwn(folder.path("c"), with: Array("3".utf8))
        try AtomicFileWriter.replaceOwn(folder.path("c"), with: Array("4".utf8))
        #expect(try (folder.data("b"), folder.data("c")) == (Data("2".utf8), Data("4".utf8)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["b", "c"])
        #expect(try FilePlace.occupant(of: folder.path("a")) == .nothing)
    }

    @Test("are made whole, for their owner or with the mask's permissions, and are not replaced if they must be new")
    func create() throws {
        try AtomicFileWriter.create(folder.path("a"), with: Array("1".utf8))
        #expect(throws: FileFailure(errorNumber: FileFailure.exists)) {
            try AtomicFileWriter.create(folder.path("a"), with: Array("2".utf8))
        }
        try AtomicFileWriter.replace(folder.path("b"), with: [], isPrivate: false)
        try folder.file("c")
        let modes = try ["a", "b", "c"].map { name in
            try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
        }
        #expect(modes[0] == 0o600)
        #expect(modes[1] == modes[2])
        #expect(try folder.data("a") == Data("1".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a", "b", "c"])
    }

    @Test("belong to a disk with free space")
    func space() throws {
        #expect(try #require(FilePlace.freeBytes(in: folder.path)) > 0)
        #expect(FilePlace.freeBytes(in: folder.path("missing")) == nil)
    }
}
