// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@testable import WebServiceDSL

@Suite("The ranges of a request", .timeLimit(.minutes(15)))
struct RequestedRangesTests {
    private func mismatch(
        _ asked: String,
        _ contentRange: String?,
        length: String? = nil,
        type: String? = nil,
        mayBeShorter: Bool = true
    ) throws -> String? {
        var headers: HTTPFields = [:]
        (headers[.contentRange], headers[.contentLength], headers[.contentType]) = (contentRange, length, type)
        let ranges = try #require(RequestedRanges([.range: asked]))
        return ranges.mismatch(ResponseHead(statusCode: 206, headers: headers), mayBeShorter: mayBeShorter)
    }

    @Test(
        "are those of the response",
        arguments: [
            ("bytes=100-199", "bytes 100-199/1000"), ("bytes=100-199", "bytes 100-199/*"),
            ("bytes=100-199", "bytes 100-149/150"), ("bytes=100-", "bytes 100-999/1000"),
            ("bytes=100-", "bytes 100-999/*"), ("bytes=-100", "bytes 900-999/1000"), ("bytes=-100", "bytes 0-49/50"),
            ("bytes=-100", "bytes 900-999/*"), ("BYTES = 0-0 ,, 5-6", "bytes 0-0/10"), ("bytes=0-0,5-6", "bytes 5-6/7"),
            ("bytes=0-0,5-6", "bytes 0-6/7"), ("bytes=0-99999999999999999999", "bytes 0-9/10"),
            ("bytes=0-0, -2", "bytes 8-9/10"),
        ]
    )
    func match(asked: String, range: String) throws {
        #expect(try mismatch(asked, range, mayBeShorter: false) == nil)
    }

    @Test(
        "are not those of the response",
        arguments: [
            ("bytes=100-199", nil), ("bytes=100-199", ""), ("bytes=100-199", "bytes */1000"),
            ("bytes=100-199", "bytes 0-99/1000"), ("bytes=100-199", "bytes 100-299/1000"),
            ("bytes=100-199", "bytes 101-199/1000"), ("bytes=100-199", "bytes 99-199/1000"),
            ("bytes=100-199", "items 100-199/1000"), ("bytes=100-199", "bytes 0-999/1000"),
            ("bytes=100-", "bytes 0-99/1000"), ("bytes=100-", "bytes 101-999/1000"),
            ("bytes=-100", "bytes 0-99/1000"), ("bytes=-100", "bytes 899-999/1000"), ("bytes=-100", "bytes 0-100/*"),
            ("bytes=0-0,5-6", "bytes 1-2/7"), ("bytes=0-0,5-6", "bytes 5-7/8"), ("bytes=-0", "bytes 9-9/10"),
            ("bytes=99999999999999999999-", "bytes 0-9/10"),
        ] as [(String, String?)]
    )
    func mismatch(asked: String, range: String?) throws {
        #expect(try mismatch(asked, range) != nil)
    }

    @Test("may be answered with less, from the same byte on, if that is enough for their reader")
    func shorter() throws {
        for (asked, range) in [
            ("bytes=100-199", "bytes 100-149/1000"), ("bytes=100-", "bytes 100-199/1000"),
            ("bytes=-100", "bytes 900-949/1000"),
        ] {
            #expect(try mismatch(asked, range) == nil)
            #expect(try mismatch(asked, range, mayBeShorter: false) != nil, "\(asked)")
        }
    }

    @Test("are not compared if their unit or their grammar is another one", arguments: ["items=0-5", "bytes=a-b", "5"])
    func others(asked: String) throws {
        #expect(try mismatch(asked, nil) == nil)
    }

    @Test("come in several parts only if there are several")
    func parts() throws {
        let type = "multipart/byteranges; boundary=x"
        #expect(try mismatch("bytes=0-0,5-6", nil, type: type) == nil)
        #expect(try mismatch("bytes=0-6", nil, type: type) != nil)
    }

    @Test("have as many bytes as the response")
    func length() throws {
        #expect(try mismatch("bytes=0-9", "bytes 0-9/10", length: "10") == nil)
        #expect(try mismatch("bytes=0-9", "bytes 0-9/10", length: "9") != nil)
    }

    @Test("say nothing about another status")
    func otherStatus() throws {
        let ranges = try #require(RequestedRanges([.range: "bytes=0-9"]))
        #expect(ranges.mismatch(ResponseHead(statusCode: 200), mayBeShorter: false) == nil)
        #expect(RequestedRanges([:]) == nil)
    }
}
