// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import WebServiceDSL

@Suite("A request, its curl command, and the request of that", .timeLimit(.minutes(15)))
struct CURLRoundTripTests {
    private static let server = BaseResource("https://api.test/v1?key=a", networkInterface: RecordingInterface())

    static let requests: [@Sendable () -> NetworkResource] = [
        { server.get() }, { server.get("users/\("a/b {c} é")").query([("a[]", "x y"), ("q", "'\"$`\\")]) },
        { server.head("x") }, { server.options("x") }, { server.delete("x") }, { server.post("x") },
        { server.request("PROPFIND", "x") }, { server.request("patch", "x") },
        { server.get("x").header("X-A", "it's $HOME").addHeader("X-A", "`b`").header("Empty", "") },
        { server.get("x").removeHeader("User-Agent").removeHeader("Accept") },
        { server.get("x").basic("ada", "pa:ss").header("Cookie", "a=1; b=2").range(0..<10) },
        { server.get("x").header("Accept-Encoding", "gzip").header("X-U", "ü\u{301}") },
        { server.post("x").json(["a": [1, "é'\n"]] as [String: Any]) }, { server.put("x").text("") },
        { server.post("x").text("@file\r\n it's \u{301}") }, { server.post("x").text("\u{301}a") },
        { server.post("x").fields([("a", "1"), ("b", "x y&z")]) },
        { server.post("x").text("a").removeHeader("Content-Type") },
        { server.post("x").data(Data([0, 0xFF, 0x40, 0xC3, 0xA9, 0x27])) },
        { server.post("x").data(Data([0x40, 0xFF])) },
        { server.request("GET", "x").text("{}", contentType: "application/json").allowsContent() },
        { server.put("x").file("a b'c.json") }, { server.put("x").file("x.bin", contentType: "a/b") },
        { server.post("x").multipart(name: "a", value: "1").multipart(name: "b", value: "@x;y,\"z\"\\ ü") },
        { server.post("x").multipart(name: "f", file: "a;b.png").multipart(name: "g", file: "x", fileName: "y\"") },
        {
            server.post("x").multipart(
                name: "t",
                data: Data("a".utf8),
                fileName: "f",
                contentType: "text/csv; charset=utf-8",
                headers: ["X-Y": "z;w"]
            )
        },
        { server.post("x").idempotencyKey("k").text("a") },
    ]

    /// Everything of a request that a server can tell apart, except the boundary of a form.
    private func facts(_ draft: RequestDraft) async throws -> [String] {
        var draft = draft
        let content = Self.text(of: draft.content)
        // A file need not exist, and each form has its own boundary.
        if case .multipart = draft.content { draft.contentType = "multipart/form-data" }
        if case .data = draft.content {} else if draft.content != nil { draft.content = .data(Data()) }
        let request = try await draft.makeRequest()
        let fields = request.headers.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
        return ["\(request.method.rawValue) \(request.target.string)"] + fields + [content]
    }

    private static func text(of content: DraftContent?) -> String {
        switch content {
        case nil: "no content"
        case .data(let data): "bytes \(Array(data))"
        case .file(let file): "file \(file.path)"
        case .stream: "stream"
        case .multipart(let form): form.parts.map { $0.header + text(of: $0.content) }.joined(separator: "\n")
        }
    }

    @Test("are equal", arguments: requests.indices)
    func equal(index: Int) async throws {
        let resource = Self.requests[index]()
        let command = resource.cURLDescription(includingSecrets: true)
        let parsed = CURLRequest(command, function: #function).draft
        #expect(try await facts(parsed) == facts(resource.draft), "\(command)")
        let isWhole = if case .data = parsed.content { true } else { parsed.content == nil }
        if isWhole {
            let requests = try await (parsed.makeRequest(), resource.draft.makeRequest())
            #expect(requests.0 == requests.1)
        }
    }
}
