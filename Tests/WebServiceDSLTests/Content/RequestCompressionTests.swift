// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("The compression of a request", .timeLimit(.minutes(15)))
struct RequestCompressionTests {
    private func applies(_ policy: RequestCompression, _ resource: NetworkResource) async throws -> Bool {
        policy.applies(to: try await freeze(resource))
    }

    @Test("begins at its threshold, and at no byte")
    func threshold() async throws {
        let policy = RequestCompression()
        for (count, expected) in [(0, false), (1023, false), (1024, true), (100_000, true)] {
            #expect(try await applies(policy, server().post().data(Data(count: count))) == expected)
        }
        #expect(try await !applies(RequestCompression(threshold: 0), server().post().data(Data())))
        #expect(try await !applies(RequestCompression(threshold: -1), server().post().data(Data())))
        #expect(try await applies(RequestCompression(threshold: 0), server().post().data(Data([1]))))
        #expect(try await !applies(RequestCompression(threshold: 0), server().post()))
        for (length, expected) in [(1023, false), (1024, true), (nil, true)] as [(Int64?, Bool)] {
            let stream = server().post().stream(length: length) { _ in }
            #expect(try await applies(policy, stream) == expected)
        }
    }

    @Test("skips media types that are compressed already")
    func mediaTypes() async throws {
        for (type, expected) in [
            ("text/plain", true), ("application/json; charset=utf-8", true), ("image/png", false),
            ("IMAGE/JPEG ; q=1", false), ("image/svg+xml", true), ("application/zip", false), ("video/mp4", false),
            ("application/octet-stream", true), ("imagery/x", true), ("", true),
        ] {
            let resource = server().post().data(Data(count: 2_000)).header(.contentType, type)
            #expect(try await applies(RequestCompression(), resource) == expected, "\(type)")
        }
        let policy = RequestCompression(skippedMediaTypes: ["image/svg+xml"])
        let vector = server().post().data(Data(count: 2_000), contentType: "image/svg+xml")
        #expect(try await !applies(policy, vector))
        #expect(try await applies(policy, server().post().data(Data(count: 2_000), contentType: "image/png")))
    }

    @Test("does not touch content that is coded, or that a field describes as it is")
    func contradictions() async throws {
        for name in ["Content-Encoding", "Content-Range", "Content-Digest", "Repr-Digest", "content-md5"] {
            let resource = server().post().data(Data(count: 2_000)).header(name, "x")
            #expect(try await !applies(RequestCompression(), resource), "\(name)")
        }
        let removed = server().post().data(Data(count: 2_000)).removeHeader(.contentEncoding)
        #expect(try await !applies(RequestCompression(), removed))
    }

    @Test("is set by a modifier, and can be refused")
    func modifier() async throws {
        #expect(server().post().draft.requestCompression == nil)
        #expect(server().post().compressed().draft.requestCompression == RequestCompression())
        #expect(server().post().compressed(threshold: 7, level: 9).draft.requestCompression?.threshold == 7)
        #expect(server().post().compressed(.none).draft.requestCompression == RequestCompression.none)
        #expect(try await !applies(.none, server().post().data(Data(count: 2_000))))
    }
}
