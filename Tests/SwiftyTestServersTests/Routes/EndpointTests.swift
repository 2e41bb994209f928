// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

@Suite("An endpoint of an embedded server", .timeLimit(.minutes(15)))
struct EndpointTests {
    private let server: LoopbackServer
    private let base: BaseResource
    private let content = Data("0123456789".utf8)

    init() throws {
        server = try LoopbackServer()
        base = BaseResource(server.url, networkInterface: Swifty(transport: TransportSettings()))
    }

    private func get(_ fields: [String: String]) async throws -> NetworkResponse {
        try await base.get("file").headers(fields).validate(status: .any).load()
    }

    @Test(
        "answers ranges: from, between, the last bytes, and none",
        arguments: [
            ("bytes=4-", 206, "456789", "bytes 4-9/10"), ("bytes=2-3", 206, "23", "bytes 2-3/10"),
            ("bytes=-3", 206, "789", "bytes 7-9/10"), ("bytes=10-", 416, "", "bytes */10"),
            ("bytes=1-2,4-5", 200, "0123456789", nil), ("lines=1-2", 200, "0123456789", nil),
        ] as [(String, Int, String, String?)]
    )
    func ranges(_ range: String, _ status: Int, _ text: String, _ contentRange: String?) async throws {
        server.serve("/file", Endpoint(content, entityTag: "v1"))
        let response = try await get(["Range": range])
        #expect(response.statusCode == status)
        #expect(response.string == text)
        #expect(response.head?.headers[.contentRange] == contentRange)
    }

    @Test("evaluates conditions by the entity tag and by the date")
    func conditions() async throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        server.serve("/file", Endpoint(content, entityTag: "v1", lastModified: date))
        let (same, later) = ("Tue, 14 Nov 2023 22:13:20 GMT", "Wed, 15 Nov 2023 22:13:20 GMT")
        let earlier = "Mon, 13 Nov 2023 22:13:20 GMT"
        let cases: [([String: String], Int)] = [
            (["If-None-Match": "\"v1\""], 304), (["If-None-Match": "\"v2\", W/\"v1\""], 304),
            (["If-None-Match": "\"v2\""], 200), (["If-Modified-Since": later], 304), (["If-Modified-Since": same], 304),
            (["If-Modified-Since": earlier], 200), (["If-Match": "\"v2\""], 412), (["If-Match": "*"], 200),
            (["If-Unmodified-Since": earlier], 412), (["If-Unmodified-Since": same], 200),
            (["Range": "bytes=1-1", "If-Range": "\"v1\""], 206), (["Range": "bytes=1-1", "If-Range": "\"v2\""], 200),
            (["Range": "bytes=1-1", "If-Range": same], 206), (["Range": "bytes=1-1", "If-Range": earlier], 200),
            (["If-Match": "\"v1\"", "If-None-Match": "\"v1\""], 304),
        ]
        for (fields, status) in cases {
            let response = try await get(fields)
            #expect(response.statusCode == status, "\(fields)")
        }
    }

    @Test("is changed, removed and redirected while the server runs, and resumes a download")
    func runTime() async throws {
        let missing = try await get([:])
        #expect(missing.statusCode == 404)
        server.serve("/file", Endpoint(content, entityTag: "v1") { $0.failing(with: .resetAfter(contentBytes: 4)) })
        let folder = try TemporaryFolder()
        let broken = await #expect(throws: SwiftyError.self) {
            try await base.get("file").download(to: folder.path("f"), policy: DownloadPolicy(maximumResumptions: 0))
        }
        #expect(broken?.code == .connectionLost)
        server.serve("/file", Endpoint(content, entityTag: "v1"))
        let file = try await base.get("file").download(to: folder.path("f"))
        #expect(file.byteCount == 10)
        #expect(server.log.last?["Range"] == "bytes=4-")
        server.redirect("/old", to: "/file")
        #expect(try await base.get("old").load().string == "0123456789")
        server.remove("/file")
        let removed = try await get([:])
        #expect(removed.statusCode == 404)
    }

    @Test("is slow, late and silent as it is told")
    func faults() async throws {
        server.serve("/file", Endpoint(content) { $0.delayed(.milliseconds(200)).slow(bytesPerSecond: 20) })
        let duration = try await ContinuousClock().measure {
            let response = try await get([:])
            #expect(response.string == "0123456789")
        }
        #expect(duration > .milliseconds(500))
        for fault in [LoopbackResponse.Fault.stall, .stallAfter(contentBytes: 3)] {
            server.serve("/file", Endpoint(content) { $0.failing(with: fault) })
            let error = await #expect(throws: SwiftyError.self) {
                try await base.get("file").timeout(idle: .milliseconds(300)).load()
            }
            #expect(error?.code == .timedOut)
            #expect(error?.sent == (fault == .stall ? .maybeSent : .responded))
        }
    }
}
