// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Testing

@testable import Swifty

@Suite("The response to a download", .timeLimit(.minutes(15)))
struct DownloadResponseTests {
    private func head(_ status: Int, _ fields: [String: String] = [:]) -> ResponseHead {
        var headers: HTTPFields = [:]
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return ResponseHead(statusCode: status, headers: headers)
    }

    private let point = ResumePoint(length: 100, validator: .entityTag("\"1\""), total: 1000)
    private let pointWithoutTotal = ResumePoint(length: 100, validator: .entityTag("\"1\""), total: nil)

    @Test("continues the content, or has all of it")
    func success() {
        #expect(DownloadResponse(head(200, ["Content-Length": "7"]), to: nil) == .whole(total: 7))
        #expect(DownloadResponse(head(200), to: point) == .whole(total: nil))
        let asked = RequestedRanges([.range: "bytes=100-199"])
        let own = head(206, ["Content-Range": "bytes 100-199/1000"])
        #expect(DownloadResponse(own, to: nil, asked: asked) == .whole(total: 100))
        #expect(DownloadResponse(head(206), to: nil, asked: RequestedRanges([.range: "rows=1"])) == .whole(total: nil))
        #expect(DownloadResponse(head(201), to: nil) == .whole(total: nil))
        let range = ["Content-Range": "bytes 100-999/1000"]
        #expect(DownloadResponse(head(206, range), to: point) == .range(100..<1000, total: 1000))
        #expect(DownloadResponse(head(206, range), to: pointWithoutTotal) == .range(100..<1000, total: 1000))
        let open = head(206, ["Content-Range": "bytes 100-999/*", "ETag": "\"1\""])
        #expect(DownloadResponse(open, to: point) == .range(100..<1000, total: 1000))
        // The end of the content is unknown.
        #expect(DownloadResponse(open, to: pointWithoutTotal) == .changed)
        let piece = head(206, ["Content-Range": "bytes 100-199/1000", "Content-Length": "100"])
        #expect(DownloadResponse(piece, to: point) == .range(100..<200, total: 1000))
    }

    @Test("says that the content has changed, or ends the download")
    func otherwise() {
        #expect(DownloadResponse(head(412), to: point) == .changed)
        for status in [204, 205] { #expect(DownloadResponse(head(status), to: nil) == .empty) }
        #expect(DownloadResponse(head(201, ["Content-Length": "0"]), to: nil) == .empty)
        #expect(DownloadResponse(head(202, ["Content-Length": "5"]), to: point) == .refused)
        #expect(DownloadResponse(head(412), to: nil) == .refused)
        #expect(DownloadResponse(head(416), to: nil) == .refused)
        #expect(DownloadResponse(head(404), to: point) == .refused)
        let other = head(206, ["Content-Range": "bytes 100-999/1000", "ETag": "\"2\""])
        #expect(DownloadResponse(other, to: point) == .changed)
        let full = ResumePoint(length: 1000, validator: .entityTag("\"1\""), total: nil)
        #expect(DownloadResponse(head(416, ["Content-Range": "bytes */1000"]), to: full) == .complete)
        #expect(DownloadResponse(head(416, ["Content-Range": "bytes */1001"]), to: full) == .changed)
        #expect(DownloadResponse(head(416, ["Content-Range": "bytes */1000", "ETag": "\"2\""]), to: full) == .changed)
        #expect(DownloadResponse(head(416), to: full) == .changed)
        #expect(DownloadResponse(head(416, ["Content-Range": "bytes */100"]), to: point) == .changed)
    }

    @Test(
        "has another range than the one that was asked for",
        arguments: [
            ["Content-Range": "bytes 99-999/1000"], ["Content-Range": "bytes 101-999/1000"],
            ["Content-Range": "bytes 100-999/1001"], ["Content-Range": "bytes 100-1000/*"], [:],
            ["Content-Range": "bytes */1000"], ["Content-Range": "bytes 100-999/1000", "Content-Length": "901"],
        ]
    )
    func mismatch(fields: [String: String]) {
        let response = DownloadResponse(head(206, fields), to: point)
        if case .mismatch = response { return }
        Issue.record("\(response)")
    }

    @Test("has a validator, if it is strong")
    func validator() {
        let (old, later) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT")
        #expect(ContentValidator(head(200, ["ETag": "\"a\""])) == .entityTag("\"a\""))
        #expect(ContentValidator(head(200, ["ETag": "\"\""])) == .entityTag("\"\""))
        #expect(ContentValidator(head(200, ["Last-Modified": old, "Date": later])) == .lastModified(old))
        for fields in [
            ["ETag": "W/\"a\""], ["ETag": "a"], ["ETag": "\""], ["ETag": "\"a\"b\""], [:], ["Last-Modified": old],
            ["Last-Modified": old, "Date": old], ["Last-Modified": later, "Date": old],
            ["ETag": "W/\"a\"", "Last-Modified": old, "Date": later], ["Last-Modified": "yesterday", "Date": later],
        ] {
            #expect(ContentValidator(head(200, fields)) == nil, "\(fields)")
        }
    }

    @Test("has a digest of the whole content")
    func digest() {
        let bytes = [UInt8](repeating: 7, count: 32)
        let value = "sha-256=:\(Data(bytes).base64EncodedString()):"
        for text in [
            value, "md5=:AA==:, \(value)", "sha-256=:AAAA:,\(value)", "\(value);a=1", " \(value) ",
            "\(value);x=\"a, sha-256=:AAAA:\"", "\(value);x=\"a; b\\\", sha-256=:AAAA:\", md5=:AA==:",
            "a=\"sha-256=:AAAA:, \", \(value)", "a, b;c, \(value), sha-512=:AAAA:", "unixsum=30637, \(value)",
            "a=(1 \"sha-256=:AAAA:,\"), \(value)", ",, \(value),",
        ] {
            #expect(DigestField.digest(head(200, ["Repr-Digest": text])) == bytes, "\(text)")
            #expect(DigestField.digest(head(206, ["Repr-Digest": text])) == bytes)
            #expect(DigestField.digest(head(200, ["Content-Digest": text])) == bytes)
            #expect(DigestField.digest(head(206, ["Content-Digest": text])) == nil)
        }
        for text in [
            "", "sha-256", "sha-256=", "sha-256=AAAA", "sha-256=:AAAA", "sha-512=:AAAA:", "sha-256=:A*:",
            "x=\"\(value)\"", "a;x=\", \(value)", "\(value), x=\"open",
        ] {
            #expect(DigestField.digest(head(200, ["Repr-Digest": text])) == nil, "\(text)")
        }
    }

    @Test("is recorded without the URL")
    func record() throws {
        var record = DownloadRecord(url: DownloadRecord.key(of: try TargetURI("https://example.com/a?secret=1")))
        for validator in [ContentValidator.entityTag("\"1\""), .lastModified("x")] {
            record.validator = validator
            record.total = 5
            let text = String(decoding: record.encoded, as: UTF8.self)
            #expect(!text.contains("secret") && !text.contains("example"))
            let copy = try JSONDecoder().decode(DownloadRecord.self, from: Data(record.encoded))
            #expect(copy == record && copy.validator == validator)
        }
        record.validator = nil
        #expect(record.validator == nil && record.point(length: 1) == nil)
    }
}
