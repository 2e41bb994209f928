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

private let everything: MockOptions = {
    var options = MockOptions()
    options.requires = .everything
    return options
}()

@Suite("A mocked suite", .mocked(Shelf.self, options: everything), .timeLimit(.minutes(15)))
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

@Suite("A suite whose mocks are not all used", .timeLimit(.minutes(15)))
struct UnusedMocksTests {
    @Test("fails at its end, and names them")
    func unused() async throws {
        let folder = try TemporaryFolder()
        try folder.file("book.txt", "x")
        try folder.file("add.txt", "x")
        var options = everything
        options.folder = folder.path
        let error = await #expect(throws: UnusedMocksError.self) {
            try await withMocks(for: Shelf.self, options: options) {
                // A scope inside counts for the one around it.
                try await withMocks(for: Shelf.self, options: all(in: folder)) {
                    _ = try await Shelf.book(1).load()
                }
            }
        }
        #expect(error?.mocks == ["\(folder.path)/add.txt"])
    }

    private func all(in folder: TemporaryFolder) -> MockOptions {
        var options = MockOptions()
        options.folder = folder.path
        return options
    }
}
