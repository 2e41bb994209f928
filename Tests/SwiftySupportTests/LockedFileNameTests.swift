// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import TestSupport
import Testing

@Suite("The name of a locked file", .timeLimit(.minutes(15)))
struct LockedFileNameTests {
    /// What happens to the path of the file while it is written.
    enum Change: CaseIterable {
        case removed, replaced, link, folder, folderMoved, folderReplaced

        /// Makes the change, and returns what is at the path afterwards.
        func make(_ folder: TemporaryFolder) throws -> Data? {
            let files = FileManager.default
            let part = folder.path("f/part")
            if self == .folderMoved || self == .folderReplaced {
                try files.moveItem(atPath: folder.path("f"), toPath: folder.path("g"))
            } else {
                try files.removeItem(atPath: part)
            }
            switch self {
            case .removed, .folderMoved: return nil
            case .replaced: try Data("another".utf8).write(to: URL(fileURLWithPath: part))
            case .folder: try files.createDirectory(atPath: part, withIntermediateDirectories: false)
            case .link:
                try Data("another".utf8).write(to: URL(fileURLWithPath: folder.path("linked")))
                try files.createSymbolicLink(atPath: part, withDestinationPath: folder.path("linked"))
            case .folderReplaced:
                try files.createDirectory(atPath: folder.path("f"), withIntermediateDirectories: false)
                try Data("another".utf8).write(to: URL(fileURLWithPath: part))
                try Data("old".utf8).write(to: URL(fileURLWithPath: folder.path("f/whole")))
            }
            return self == .folder ? nil : Data("another".utf8)
        }
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("f"), withIntermediateDirectories: false)
    }

    private func names(_ subfolder: String = "f") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(subfolder))) ?? []).sorted()
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    }

    private func make(_ text: String) throws -> LockedFile {
        let file = try LockedFile.make(at: folder.path("f/part"), movingTo: folder.path("f/whole"))
        try Array(text.utf8).withUnsafeBytes { try file.put($0, at: 0) }
        return file
    }

    @Test("becomes another, in place of a file or a link of that name", arguments: [0, 1, 2])
    func replacing(_ existing: Int) throws {
        try write("old", "other")
        if existing == 1 { try write("old", "f/whole") }
        if existing == 2 {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("f/whole"),
                withDestinationPath: folder.path("other")
            )
        }
        let file = try make("new")
        var prepared: [String] = []
        try file.move(replacing: folder.path("f/whole")) { prepared = names() }
        #expect(prepared == ["part", "whole"])
        #expect(try folder.data("f/whole") == Data("new".utf8))
        #expect(try folder.data("other") == Data("old".utf8))
        #expect(names() == ["whole"])
    }

    @Test("becomes a new one, and no file of that name is touched")
    func new() throws {
        try write("old", "f/whole")
        let file = try make("new")
        let error = #expect(throws: FileFailure.self) { try file.move(toNew: folder.path("f/whole")) }
        #expect(error?.kind == .exists)
        #expect(names() == ["part", "whole"])
        try file.move(toNew: folder.path("f/other"))
        #expect(try folder.data("f/other") == Data("new".utf8))
        #expect(try folder.data("f/whole") == Data("old".utf8))
        #expect(names() == ["other", "whole"])
    }

    @Test("stays as it is if the file cannot take the place of what is there")
    func failure() throws {
        try FileManager.default.createDirectory(atPath: folder.path("f/whole"), withIntermediateDirectories: false)
        let file = try make("new")
        #expect(throws: FileFailure.self) { try file.move(replacing: folder.path("f/whole")) }
        #expect(names() == ["part", "whole"])
        #expect(file.isStillAtPath)
    }

    @Test("that leads to something else by now is never moved or removed", arguments: Change.allCases, [true, false])
    func changed(_ change: Change, _ isNew: Bool) throws {
        if change != .folderReplaced { try write("old", "f/whole") }
        let file = try make("new")
        let there = try change.make(folder)
        let before = (names(), names("g"))
        let target = isNew ? "f/new" : "f/whole"
        let error = #expect(throws: FileFailure.self) {
            if isNew {
                try file.move(toNew: folder.path(target))
            } else {
                try file.move(replacing: folder.path(target))
            }
        }
        #expect(error?.reason.contains("removed or replaced") == true, "\(error?.reason ?? "")")
        file.removeName()
        #expect((names(), names("g")) == before)
        if let there { #expect(try folder.data("f/part") == there) }
        if change != .folderMoved { #expect(try folder.data("f/whole") == Data("old".utf8)) }
    }

    @Test("that another one has got is kept while the first ends")
    func second() throws {
        let first = try make("first")
        try FileManager.default.removeItem(atPath: folder.path("f/part"))
        let second = try make("second")
        #expect(throws: FileFailure.self) { try first.move(replacing: folder.path("f/whole")) }
        first.removeName()
        #expect(second.isStillAtPath)
        try second.move(replacing: folder.path("f/whole"))
        #expect(try folder.data("f/whole") == Data("second".utf8))
        #expect(names() == ["whole"])
    }

    @Test("of a moment, which a killed process has left, does not stand in the way")
    func interim() throws {
        do {
            let file = try make("part")
            file.unlock()
        }
        try FileManager.default.linkItem(atPath: folder.path("f/part"), toPath: folder.path("f/part.done"))
        let file = try make("Part")
        #expect(!file.wasEmpty)
        #expect(names() == ["part"])
        // That of another file is left alone.
        try write("another", "f/part.done")
        try file.move(replacing: folder.path("f/whole"))
        #expect(names() == ["part.done", "whole"])
        #expect(try folder.data("f/part.done") == Data("another".utf8))
    }

    @Test("of a file that a killed process had already given its last one is free")
    func committed() throws {
        try write("whole", "f/whole")
        try FileManager.default.linkItem(atPath: folder.path("f/whole"), toPath: folder.path("f/part"))
        let file = try LockedFile.make(at: folder.path("f/part"), movingTo: folder.path("f/whole"))
        #expect(file.wasEmpty)
        #expect(try folder.data("f/whole") == Data("whole".utf8))
    }

    @Test("beside which there is a further one is refused")
    func furtherName() throws {
        try write("secret", "other")
        try FileManager.default.linkItem(atPath: folder.path("other"), toPath: folder.path("f/part"))
        let error = #expect(throws: FileFailure.self) { _ = try make("x") }
        #expect(error?.reason == "it has another name")
        #expect(try folder.data("other") == Data("secret".utf8))
    }

    @Test("of a temporary file that another process has replaced is not put in place", arguments: [true, false])
    func temporary(_ isRemoved: Bool) throws {
        try write("old", "f/whole")
        var writer: AtomicFileWriter? = try AtomicFileWriter(of: folder.path("f/whole"))
        let temporary = try #require(names().first { $0.hasSuffix(".new") })
        try FileManager.default.removeItem(atPath: folder.path("f/\(temporary)"))
        if !isRemoved { try write("half", "f/\(temporary)") }
        let before = names()
        #expect(throws: FileFailure.self) {
            try writer?.write(Array("new".utf8))
            try writer?.commit()
        }
        writer = nil
        #expect(names() == before)
        #expect(try folder.data("f/whole") == Data("old".utf8))
    }
}
