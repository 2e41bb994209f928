// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import TestSupport
import Testing

@testable import Swifty

@Suite("Cookies: files", .timeLimit(.minutes(15)))
struct CookieFileTests {
    private let clock = DateClock()

    private func jar(_ folder: TemporaryFolder) throws -> CookieJar {
        try CookieJar(file: folder.cookieFile, publicSuffixes: .sample, now: clock.now)
    }

    @Test("saved cookies are loaded again, with every attribute")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let jar = try jar(folder)
        #expect(folder.names.isEmpty)
        try jar.receive(
            [
                "a=1; Domain=shop.test; Path=/x; Secure; HttpOnly; SameSite=Strict; Max-Age=60", "session=2",
                "=nameless",
                "tab=a\tb", "empty=", "ünïcode=\"ja; Path=/ä", "__Host-x=1; Secure; Path=/; SameSite=None",
            ],
            from: "https://www.shop.test/a/b"
        )
        clock.advance(by: 1)
        try jar.receive(["six=6"], from: "http://[::1]/")
        try jar.save()
        let again = try self.jar(folder)
        #expect(again.allCookies == jar.allCookies)
        #expect(again.allCookies.count == 8)
        for url in ["https://www.shop.test/a/b", "https://shop.test/x", "http://[::1]/"] {
            #expect(try again.sent(to: url) == jar.sent(to: url))
        }
    }

    @Test("the file is accessible to its owner only, and no temporary file is left")
    func mode() throws {
        let folder = try TemporaryFolder()
        try folder.write("")
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: folder.cookieFile)
        let jar = try jar(folder)
        try jar.receive(["k=v"], from: "http://shop.test/")
        try jar.save()
        #expect(try folder.mode() == 0o600)
        #expect(folder.names == ["cookies.txt"])
    }

    @Test("a jar saves when it is released, and by itself some time after a change")
    func savingAlone() async throws {
        let folder = try TemporaryFolder()
        do {
            let jar = try jar(folder)
            try jar.receive(["k=v"], from: "http://shop.test/")
        }
        #expect(try folder.text().contains("\tk\tv\n"))
        let jar = try jar(folder)
        try jar.receive(["later=w"], from: "http://shop.test/")
        try await until { (try? folder.text().contains("later")) == true }
        #expect(jar.saveError == nil)
    }

    @Test("a saved file begins with the line that other programs look for")
    func firstLine() throws {
        let folder = try TemporaryFolder()
        let jar = try jar(folder)
        try jar.receive(["k=v"], from: "http://shop.test/")
        try jar.save()
        #expect(try folder.text().hasPrefix("# Netscape HTTP Cookie File\n"))
    }

    @Test("a file without changes is not written")
    func unchanged() throws {
        let folder = try TemporaryFolder()
        let text = "shop.test\tFALSE\t/\tFALSE\t0\tk\tv"
        try folder.write(text)
        let jar = try jar(folder)
        #expect(try jar.sent(to: "http://shop.test/") == "k=v")
        try jar.save()
        #expect(try folder.text() == text)
    }

    @Test(
        "a damaged file is an error with the number of the line, and stays unchanged",
        arguments: [
            "shop.test\tFALSE\t/\tFALSE\t0", "shop.test\tMAYBE\t/\tFALSE\t0\tk\tv",
            "shop.test\tFALSE\tx\tFALSE\t0\tk\tv",
            "shop.test\tFALSE\t/\tFALSE\tsoon\tk\tv", "shop.test\tFALSE\t/\tFALSE\t0\tk\tv;w",
            "\tFALSE\t/\tFALSE\t0\tk\tv",
            "sh op\tFALSE\t/\tFALSE\t0\tk\tv", "shop.test\tFALSE\t/\tFALSE\t0\t\t", "{\"cookies\": []}",
            "shop.test\tFALSE\t/\tFALSE\t0\tk\ta\u{1}b", "#Swifty_shop.test\tFALSE\t/\tFALSE\t0\tk\t%0Ab",
            "#Swifty_shop.test\tFALSE\t/\tFALSE\t0\tk\t%zz", "shop.test\tFALSE\t/\tFALSE\tnan\tk\tv",
        ]
    )
    func damaged(line: String) throws {
        let folder = try TemporaryFolder()
        let text = "# Netscape HTTP Cookie File\n\nshop.test\tFALSE\t/\tFALSE\t0\tgood\tv\n\(line)\n"
        try folder.write(text)
        let error = #expect(throws: CookieJar.FileError.self) { try jar(folder) }
        #expect(error?.kind == .damaged(line: 4))
        #expect(error?.path == folder.cookieFile)
        #expect(try folder.text() == text)
    }

    @Test("a folder, a symbolic link and invalid UTF-8 are typed errors")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let folderError = #expect(throws: CookieJar.FileError.self) { try CookieJar(file: folder.path) }
        #expect(folderError?.kind == .unreadable)
        #expect(folderError?.description == "\(folder.path) cannot be read: it is a directory")
        try Data([0x61, 0xFF, 0x0A]).write(to: URL(fileURLWithPath: folder.cookieFile))
        #expect(throws: CookieJar.FileError.self) { try jar(folder) }
        try FileManager.default.removeItem(atPath: folder.cookieFile)
        try FileManager.default.createSymbolicLink(atPath: folder.cookieFile, withDestinationPath: "/etc/hostname")
        let linkError = #expect(throws: CookieJar.FileError.self) { try jar(folder) }
        #expect(linkError?.kind == .unreadable)
        #expect(linkError?.reason == "it is a symbolic link")
    }

    @Test("a symbolic link that appears in the file's place is replaced and not followed")
    func link() throws {
        let folder = try TemporaryFolder()
        let victim = folder.path + "/victim"
        try "untouched".write(toFile: victim, atomically: false, encoding: .utf8)
        let jar = try jar(folder)
        try FileManager.default.createSymbolicLink(atPath: folder.cookieFile, withDestinationPath: victim)
        try jar.receive(["k=v"], from: "http://shop.test/")
        try jar.save()
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "untouched")
        #expect(try self.jar(folder).allCookies.map(\.name) == ["k"])
    }

    @Test("a file that cannot be written is a typed error, and the next save tries again")
    func unwritable() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/later/cookies.txt"
        let jar = try CookieJar(file: path, publicSuffixes: .sample, now: clock.now)
        try jar.receive(["k=v"], from: "http://shop.test/")
        let error = #expect(throws: CookieJar.FileError.self) { try jar.save() }
        #expect(error?.kind == .unwritable)
        #expect(jar.saveError == error)
        try FileManager.default.createDirectory(atPath: folder.path + "/later", withIntermediateDirectories: false)
        try jar.save()
        #expect(jar.saveError == nil)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test("a relative path stays that of the folder in which the jar was made")
    func relativePath() throws {
        let folder = try TemporaryFolder()
        try folder.write("shop.test\tFALSE\t/\tFALSE\t0\tk\tv\n")
        // The current folder of this process must not change, because other tests use it.
        let current = FileManager.default.currentDirectoryPath
        let way = String(repeating: "../", count: current.split(separator: "/").count)
        let relative = way + folder.cookieFile.dropFirst()
        let jar = try CookieJar(file: relative, publicSuffixes: .sample, now: clock.now)
        #expect(jar.description == "CookieJar(1 cookies, \(current)/\(relative))")
        #expect(folder.names == ["cookies.txt"])
    }

    @Test("a jar that could not save by itself tries again without another change")
    func repeatedSave() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("later/cookies.txt")
        let jar = try CookieJar(file: path, publicSuffixes: .sample, now: clock.now)
        try jar.receive(["k=v"], from: "http://shop.test/")
        try await until { jar.saveError != nil }
        try FileManager.default.createDirectory(atPath: folder.path("later"), withIntermediateDirectories: false)
        try await until { (try? folder.data("later/cookies.txt")) != nil }
        try await until { jar.saveError == nil }
    }

    @Test("after each step of writing, there is the whole old file or the whole new one", arguments: 0...3)
    func interrupted(steps: Int) throws {
        let folder = try TemporaryFolder()
        try folder.write("old")
        var writer = try AtomicFileWriter(of: folder.cookieFile)
        if steps > 0 { try writer.write(Array("n".utf8)) }
        if steps > 1 { try writer.write(Array("ew".utf8)) }
        if steps > 2 { try writer.commit() }
        // The state that a killed process leaves: nothing after this line is needed.
        #expect(try folder.text() == (steps > 2 ? "new" : "old"))
        _ = consume writer
        #expect(folder.names == ["cookies.txt"])
    }

    @Test("a reader beside a busy writer always finds a whole file")
    func readerBesideWriter() async throws {
        let folder = try TemporaryFolder()
        let jar = try jar(folder)
        try jar.receive(["k=0"], from: "http://shop.test/")
        try jar.save()
        let isDone = Gate()
        // On its own thread, since every save waits for the disk.
        let writer = Thread { [clock] in
            for index in 1...20 {
                clock.advance(by: 1)
                try? jar.receive(["k=\(index)", "l\(index)=x"], from: "http://shop.test/")
                try? jar.save()
            }
            isDone.open()
        }
        writer.start()
        while !isDone.isOpen {
            #expect(try self.jar(folder).allCookies.first?.name == "k")
            await Task.yield()
        }
        #expect(jar.saveError == nil)
        #expect(try self.jar(folder).allCookies.count == 21)
    }

    @Test("cookies of a file are limited like cookies of a server")
    func foreignFile() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            # Netscape HTTP Cookie File
            .co.uk\tTRUE\t/\tFALSE\t0\tsuper\tv
            127.0.0.1\tTRUE\t/\tFALSE\t0\tip\tv
            .Shop.test\tTRUE\t/\tFALSE\t99999999999\tlong\tv
            shop.test\tFALSE\t/\tFALSE\t1\told\tv\r
            #HttpOnly_shop.test\tFALSE\t/\ttrue\t0\thidden\tv
            shop.test\tFALSE\t/\tFALSE\t0\tnovalue
            # a comment

            """
        )
        let jar = try jar(folder)
        #expect(jar.allCookies.map(\.name) == ["super", "ip", "long", "hidden", "novalue"])
        #expect(try jar.sent(to: "http://a.co.uk/") == "")
        #expect(try jar.sent(to: "https://shop.test/") == "long=v; hidden=v; novalue=")
        #expect(try jar.sent(to: "http://x.shop.test/") == "long=v")
        clock.advance(by: 401 * 86_400)
        #expect(try jar.sent(to: "http://x.shop.test/") == "")
    }
}

extension TemporaryFolder {
    var cookieFile: String { path("cookies.txt") }
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    func text() throws -> String { String(decoding: try data("cookies.txt"), as: UTF8.self) }

    func write(_ text: String) throws { try file("cookies.txt", text) }

    func mode() throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: cookieFile)[.posixPermissions] as? NSNumber)?.intValue
    }
}
