// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

@Suite("A range that the caller asks for", .timeLimit(.minutes(15)))
struct OwnRangeTests {
    enum Way: CaseIterable {
        case load, stream, download
    }

    private let folder: TemporaryFolder
    private let content = FileServer.bytes(100)
    private var path: String { folder.path("a.bin") }

    init() throws {
        folder = try TemporaryFolder()
        try folder.file("a.bin", "old")
    }

    /// The content, or the error, of a request for 100 bytes from byte 100 on.
    private func result(
        _ way: Way,
        _ contentRange: String?,
        count: Int = 100,
        _ change: (NetworkResource) -> NetworkResource = { $0.range(100..<200) }
    ) async throws -> Result<Data, SwiftyError> {
        let part = content.prefix(count)
        let server = try LoopbackServer { server in
            server.route("*", "/*") { _ in
                let response = LoopbackResponse.data(part, status: 206)
                return contentRange.map { response.header("Content-Range", $0) } ?? response
            }
        }
        let request = change(BaseResource(server.url, networkInterface: Swifty()).get("a"))
        do {
            switch way {
            case .load: return .success(try await request.load().data ?? Data())
            case .stream: return .success(try await bytes(of: request.stream()))
            case .download:
                try await request.download(to: path)
                return .success(try folder.data("a.bin"))
            }
        } catch let error as SwiftyError {
            return .failure(error)
        }
    }

    private func bytes(of stream: ResponseStream) async throws -> Data {
        var data = Data()
        for try await part in stream { data += part }
        return data
    }

    @Test(
        "is an error if the response has another one, or does not say which",
        arguments: Way.allCases,
        [nil, "bytes */1000", "bytes 0-99/1000", "bytes 100-299/1000", "bytes 101-200/1000", "items 100-199/1000"]
    )
    func mismatch(way: Way, contentRange: String?) async throws {
        let result = try await result(way, contentRange)
        guard case .failure(let error) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.code == .rangeMismatch && error.statusCode == 206)
        #expect(error.request?.method == "GET")
        #expect(folder.fileNames == ["a.bin"])
        #expect(try folder.data("a.bin") == Data("old".utf8))
    }

    @Test("is an error also if the caller has written the field", arguments: Way.allCases)
    func ownField(way: Way) async throws {
        for range in ["bytes=100-", "bytes=-100", "bytes=100-199", "bytes=1-2,100-199"] {
            let result = try await result(way, "bytes 0-99/1000") { $0.header(.range, range) }
            #expect(throws: SwiftyError.self, "\(range)") { try result.get() }
        }
    }

    @Test(
        "is what the response has",
        arguments: Way.allCases,
        ["bytes 100-199/1000", "bytes 100-199/*", "bytes 100-199/200"]
    )
    func match(way: Way, contentRange: String) async throws {
        #expect(try await result(way, contentRange).get() == content)
    }

    @Test("may be shorter, but not for a file", arguments: Way.allCases)
    func shorter(way: Way) async throws {
        let result = try await result(way, "bytes 100-149/1000", count: 50)
        if way == .download {
            let error = #expect(throws: SwiftyError.self) { try result.get() }
            #expect(error?.code == .rangeMismatch)
        } else {
            #expect(try result.get() == content.prefix(50))
        }
    }

    @Test("is that of the request as it was sent, after the interceptors")
    func interceptor() async throws {
        struct Other: RequestInterceptor {
            func intercept(resource: NetworkResource) async throws -> NetworkResource { resource.range(0..<100) }
        }
        let server = try LoopbackServer { server in
            server.route("*", "/*") { request in
                .data(Data(count: 100), status: 206).header("Content-Range", "bytes 0-99/1000")
            }
        }
        let swifty = Swifty(requestInterceptors: [Other()])
        let request = BaseResource(server.url, networkInterface: swifty).get("a")
        #expect(try await request.range(100..<200).load().data?.count == 100)
    }
}
