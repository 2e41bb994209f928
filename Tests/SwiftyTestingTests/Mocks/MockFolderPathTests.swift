// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyTesting

@Suite("The mock file of a path", .timeLimit(.minutes(15)))
struct MockFolderPathTests {
    private func folder(_ names: String...) throws -> (MockFolder, TemporaryFolder) {
        let folder = try TemporaryFolder()
        for name in names {
            let file = folder.url.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data("x".utf8).write(to: file)
        }
        return (try #require(MockFolder(path: folder.path)), folder)
    }

    @Test("has a folder that stays the same when the process changes its own")
    func relativePath() throws {
        let (_, temporary) = try folder("a.json")
        let current = FileManager.default.currentDirectoryPath
        let way = String(repeating: "../", count: current.split(separator: "/").count)
        let relative = way + temporary.path.dropFirst()
        let found = try #require(MockFolder(path: relative))
        #expect(found.path == "\(current)/\(relative)")
        #expect(found.entries.map(\.name) == ["a.json"])
        #expect(try temporary.data("a.json") == Data("x".utf8))
    }

    @Test("is the one with the fewest variables, then the one for the method")
    func precedence() throws {
        let (folder, temporary) = try folder(
            "users/{user}.json",
            "users/{user}.GET.http",
            "users/me.http",
            "users/{user}.DELETE.http",
            "{kind}/{id}.txt",
            "{kind}/{id}/files/{name}.tar.txt",
            "%2Ewell-known/x.txt",
            "index.http"
        )
        let cases: [(String, String, String?)] = [
            ("GET", "/users/ada", "users/{user}.GET.http"), ("HEAD", "/users/ada", "users/{user}.GET.http"),
            ("PUT", "/users/ada", "users/{user}.json"), ("DELETE", "/users/ada", "users/{user}.DELETE.http"),
            ("DELETE", "/users/me", "users/me.http"), ("GET", "/teams/7/", "{kind}/{id}.txt"),
            ("GET", "/a/b/files/c.tar", "{kind}/{id}/files/{name}.tar.txt"), ("GET", "/a/b/files/c", nil),
            ("GET", "/.well-known/x", "%2Ewell-known/x.txt"), ("GET", "/", "index.http"), ("GET", "/users", nil),
            ("GET", "/users/a%2Fb", "users/{user}.GET.http"), ("GET", "/users//", nil),
        ]
        for (method, path, name) in cases {
            let found = try folder.entry(method: method, path: path)
            #expect(found?.entry.name == name, "\(method) \(path)")
        }
        #expect(try folder.entry(method: "GET", path: "/users/a%2Fb")?.values == ["user": "a/b"])
        try folder.checkUnambiguous()
        #expect(folder.path == temporary.path)
    }

    @Test("is not chosen between two with the same claim")
    func ambiguous() throws {
        let (crossing, first) = try folder("{kind}/repos.json", "users/{id}.json")
        try crossing.checkUnambiguous()
        #expect(try crossing.entry(method: "GET", path: "/users/7")?.entry.name == "users/{id}.json")
        let both = #expect(throws: SwiftyError.self) { try crossing.entry(method: "GET", path: "/users/repos") }
        let names = "\(first.path)/users/{id}.json and \(first.path)/{kind}/repos.json"
        #expect(both?.reason == "the mock files \(names) answer the same request; remove all but one")
        let (same, _) = try folder("users/{id}.json", "users/{name}.http")
        #expect(throws: SwiftyError.self) { try same.checkUnambiguous() }
        let (methods, _) = try folder("users/{id}.GET.json", "users/{id}.POST.json", "users/{id}.json")
        try methods.checkUnambiguous()
    }
}
