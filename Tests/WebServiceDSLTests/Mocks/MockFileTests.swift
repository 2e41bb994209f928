// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import WebServiceDSL

@Suite("A mock file", .timeLimit(.minutes(15)))
struct MockFileTests {
    private func folder(containing text: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.file("m.json", text)
        return folder
    }

    @Test("is found in the Mocks folder of the package whose source file sets the mock")
    func packageFolder() async throws {
        let mock = try #require(server().get().mock(file: "ip.json").draft.mock)
        let (head, data) = try await mock.response(directory: nil)
        #expect(head.statusCode == 200)
        #expect(head.headers[.contentType] == "application/json")
        #expect(String(decoding: data, as: UTF8.self).contains("origin"))
        let flipkartForm = try #require(server().get().mock(withFile: "ip").draft.mock)
        #expect(try await flipkartForm.response(directory: nil).data == data)
    }

    @Test(
        "is searched for in the folders of the interface, the environment, the package and the bundle, in this order"
    )
    func order() throws {
        let file = MockFile(name: "m.json", callerFile: #filePath, resourcePath: "/bundle")
        let environment = [MockFile.environmentVariable: "/environment"]
        let candidates = file.candidates(directory: "/interface", environment: environment)
        #expect(candidates[0] == "/interface/m.json")
        #expect(candidates[1] == "/environment/m.json")
        #expect(candidates[2].hasSuffix("/Mocks/m.json"))
        #expect(candidates[3...4] == ["/bundle/m.json", "/bundle/Mocks/m.json"])
        #expect(
            MockFile(name: "/abs/m.json", callerFile: #filePath, resourcePath: nil).candidates(directory: "/x") == [
                "/abs/m.json"
            ]
        )
    }

    @Test("that is a pipe or a device is an error, and is not waited for", arguments: ["http", "json"])
    func pipe(suffix: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("m.\(suffix)")
        #expect(mkfifo(path, 0o600) == 0)
        let mock = try #require(server().get().mock(file: path).draft.mock)
        let error = await #expect(throws: SwiftyError.self) { try await mock.response(directory: nil) }
        #expect(error?.code == .mockUnavailable)
        #expect(error?.reason.contains("cannot be read") == true)
        let device = try #require(server().get().mock(file: "/dev/zero").draft.mock)
        await #expect(throws: SwiftyError.self) { try await device.response(directory: nil) }
    }

    @Test("in the directory of the interface comes first, and may have a status and header fields")
    func interfaceDirectory() async throws {
        let folder = try folder(containing: "[7]")
        let mock = try #require(server().get().mock(file: "m.json", status: 404, headers: ["X-A": "b"]).draft.mock)
        let (head, data) = try await mock.response(directory: folder.path)
        #expect(data == Data("[7]".utf8))
        #expect(head.statusCode == 404)
        #expect(head.headers.contains { $0.name.rawName == "X-A" && $0.value == "b" })
    }

    @Test("that is missing or empty is an error that names the tried paths")
    func missing() async throws {
        let missing = try #require(server().get().mock(file: "no-such.json").draft.mock)
        let error = await #expect(throws: SwiftyError.self) { try await missing.response(directory: "/some/where") }
        #expect(error?.code == .mockUnavailable)
        #expect(error?.reason.contains("/some/where/no-such.json") == true)
        let folder = try folder(containing: "")
        let empty = try #require(server().get().mock(file: "m.json").draft.mock)
        let second = await #expect(throws: SwiftyError.self) { try await empty.response(directory: folder.path) }
        #expect(second?.code == .mockUnavailable)
        #expect(second?.reason.contains("empty") == true)
    }
}
