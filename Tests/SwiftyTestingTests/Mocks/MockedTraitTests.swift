// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestTraits
import TestSupport
import Testing

/// The files are in Mocks/Shelf of this package.
private final class Shelf: WebService {
    static let serverURL = "https://shelf.example"
    static let networkInterface: any NetworkInterface = Swifty(transport: StubTransport(status: 500))

    static func book(_ number: Int) -> NetworkResource { server.get("books/{number}", ["number": number]) }
    static func add(_ title: String) -> NetworkResource { server.post("books").json(["title": title]) }
}

private let everything: MockPolicy = {
    var policy = MockPolicy()
    policy.requires = .everything
    return policy
}()

@Suite("A mocked suite", .mocked(Shelf.self, policy: everything), .timeLimit(.minutes(15)))
struct MockedSuiteTests {
    @Test("answers from the folder of its service", arguments: [1, 2])
    func files(number: Int) async throws {
        #expect(try await Shelf.book(number).load().string == "Book \(number)")
        #expect(try Shelf.sent().map(\.path) == ["/books/\(number)"])
    }

    @Test("lets a test have mocks of its own", .mocked(Shelf.self, [.get("books/{number}"): .text("own")]))
    func own() async throws {
        #expect(try await Shelf.book(3).load().string == "own")
        #expect(try await Shelf.add("new").load().statusCode == 201)
    }
}

private let patterns: MockPolicy = {
    var policy = MockPolicy()
    policy.requires = .patterns
    return policy
}()

// Not constants: the leak sanitizer does not find what a global mock holds.
private var shelf: MockedTrait<Shelf> {
    .mocked(Shelf.self, [.get("books/1"): .text("a"), .get("books/2"): .text("b")], policy: patterns)
}
private var desk: MockedTrait<Desk> {
    .mocked(Desk.self, [.get("pen"): .text("p"), .get("ink"): .text("i")], policy: patterns)
}

/// Fails at its end unless the uses of all tests count, for both services.
@Suite("A suite that requires patterns of two services", shelf, desk, .timeLimit(.minutes(15)))
struct MockedPatternsTests {
    @Test("counts the uses of each test", arguments: [(1, "pen"), (2, "ink")])
    func uses(number: Int, thing: String) async throws {
        #expect(try await Shelf.book(number).load().string == (number == 1 ? "a" : "b"))
        #expect(try await Desk.server.get(thing).load().string == String(thing.prefix(1)))
    }

    @Test("keeps the other mocks where a test has some of its own", .mocked(Shelf.self, [.get("books/3"): .text("c")]))
    func own() async throws {
        #expect(try await Shelf.book(3).load().string == "c")
        #expect(try await Shelf.book(1).load().string == "a")
    }

    @Suite("and a suite in it", .timeLimit(.minutes(15)))
    struct Inner {
        @Test("has the mocks of both")
        func inner() async throws {
            #expect(try await Shelf.book(2).load().string == "b")
        }
    }
}

private final class Desk: WebService {
    static let serverURL = "https://desk.example"
    static let networkInterface: any NetworkInterface = Swifty(transport: StubTransport(status: 500))
}

@Suite("A suite whose mocks are not all used", .timeLimit(.minutes(15)))
struct UnusedMocksTests {
    @Test("fails at its end, and names them")
    func unused() async throws {
        let folder = try TemporaryFolder()
        try folder.file("book.txt", "x")
        try folder.file("add.txt", "x")
        var policy = everything
        policy.folder = folder.path
        let error = await #expect(throws: UnusedMocksError.self) {
            try await withMocks(for: Shelf.self, policy: policy) {
                // A scope inside counts for the one around it.
                try await withMocks(for: Shelf.self, policy: all(in: folder)) {
                    _ = try await Shelf.book(1).load()
                }
            }
        }
        #expect(error?.mocks == ["\(folder.path)/add.txt"])
    }

    @Test("keeps the folder and the interceptors of a block around it")
    func inherited() async throws {
        let folder = try TemporaryFolder()
        try folder.file("book.txt", "outer file")
        try folder.file("named.txt", "named")
        try await withMocks(for: Shelf.self, [.get("outer"): .file("named.txt")], policy: all(in: folder)) {
            try await withMocks(for: Shelf.self, [.get("x"): .text("inner")]) {
                for (path, text) in [("x", "inner"), ("outer", "named")] {
                    let loaded = try await Shelf.server.get(path).load().text()
                    #expect(loaded == text)
                }
                let file = try await Shelf.book(1).load().text()
                #expect(file == "outer file")
            }
            try await withMocks(for: Desk.self) {
                let error = await #expect(throws: SwiftyError.self) { try await Desk.server.get("y").load() }
                #expect(error?.code == .mockUnavailable)
            }
        }
        try await withMocks(for: Shelf.self, [.url("https://third.example/token"): .text("token")]) {
            try await withMocks(for: Desk.self) {
                let base = BaseResource("https://third.example", networkInterface: Desk.networkInterface)
                let text = try await base.get("token").load().text()
                #expect(text == "token")
            }
        }
    }

    private func all(in folder: TemporaryFolder) -> MockPolicy {
        var policy = MockPolicy()
        policy.folder = folder.path
        return policy
    }
}
