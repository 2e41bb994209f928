// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import TestSupport
import Testing

@Suite("The content of a file", .timeLimit(.minutes(15)))
struct FileContentTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func path(_ name: String, containing data: Data? = nil) throws -> String {
        if let data { try folder.file(name, data) }
        return folder.path(name)
    }

    private func failure(_ path: String, _ kind: FileContent.Kind = .any) -> FileFailure? {
        #expect(throws: FileFailure.self) { try FileContent.read(path, as: kind) }
    }

    @Test("is read to its end, whatever its size", arguments: [0, 1, 65_535, 65_536, 65_537, 3_000_000])
    func sizes(_ size: Int) throws {
        let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let path = try path("x", containing: data)
        #expect(try FileContent.read(path) == data)
        #expect(try FileContent.read(path, as: .regularWithoutLink(maximum: size)) == data)
        #expect(FileContent.error(reading: path) == nil)
    }

    @Test("of a file of unknown size, and of a link, is complete")
    func unknownSize() throws {
        #expect(try FileContent.read("/proc/self/cmdline") == Data(contentsOf: URL(filePath: "/proc/self/cmdline")))
        let link = try path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path("x", containing: Data([7])))
        #expect(try FileContent.read(link, as: .regular(maximum: 1)) == Data([7]))
        #expect(failure(link, .regularWithoutLink(maximum: 1))?.reason == "it is a symbolic link")
    }

    @Test("that cannot be read is an error with the reason")
    func reasons() throws {
        let file = try path("x", containing: Data([1, 2]))
        let (loop, pipe) = (try path("loop"), try path("pipe"))
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(failure(try path("missing"))?.reason == "there is no such file")
        #expect(failure(try path("missing"))?.isMissing == true)
        #expect(failure("")?.reason == "there is no such file")
        #expect(failure(folder.path)?.reason == "it is a directory")
        #expect(failure(file + "/x")?.reason == "a part of its path is not a directory")
        #expect(failure(loop)?.errorNumber == ELOOP)
        #expect(failure(pipe, .regular(maximum: 9))?.reason == "it is not a regular file")
        #expect(failure(file, .regular(maximum: 1))?.reason.hasPrefix("it is larger than") == true)
        #expect(FileContent.error(reading: folder.path)?.errorNumber == EISDIR)
        #expect(FileFailure(reading: EACCES).reason == "permission is denied")
        #expect(FileFailure(reading: EMFILE).reason == "too many files are open")
        chmod(file, 0)
        // The superuser may read any file.
        if geteuid() != 0 { #expect(failure(file)?.reason == "permission is denied") }
    }
}
