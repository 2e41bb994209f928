// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import Foundation
import Swifty
import SwiftyTransport
import TestSupport
import Testing

@testable import SwiftyCurl

/// Gives random header fields to requests. A field is refused, or it is sent as it was given.
///
/// `SWIFTY_FUZZ_SEED` repeats a run, `SWIFTY_FUZZ_FIELDS` is the number of fields: a million in `Scripts/fuzz`.
@Suite("Random header fields", .timeLimit(.minutes(60)))
struct FieldFuzzTests {
    private static func option(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    private static let seed = option("SWIFTY_FUZZ_SEED") ?? 2
    private static let count = option("SWIFTY_FUZZ_FIELDS").map { Int($0) } ?? 100_000

    @Test("are refused, or sent as they are, by HTTP/1.1 and HTTP/2")
    func typed() throws {
        var fields = FieldGenerator(seed: Self.seed)
        var batch: [HTTPField] = []
        var (refused, sent) = (0, 0)
        for _ in 0..<Self.count {
            let (name, value) = fields.next()
            guard let name = HTTPField.Name(name) else {
                #expect(!SentField.isToken(name.utf8), "\(name.debugDescription) was refused")
                refused += 1
                continue
            }
            #expect(SentField.isToken(name.rawName.utf8), "\(name)")
            let field =
                fields.isLenient ? HTTPField(name: name, lenientValue: value) : HTTPField(name: name, value: value)
            if !field.withUnsafeBytesOfValue({ SentField.isValue($0) }) {
                let error = #expect(throws: SwiftyError.self, "\(value)") { try expectSent([field]) }
                #expect(error?.code == .invalidHeader)
                refused += 1
                continue
            }
            sent += 1
            batch.append(field)
            if batch.count == 50 {
                try expectSent(batch)
                batch.removeAll()
            }
        }
        try expectSent(batch)
        print("Random fields: \(refused) refused, \(sent) sent, SWIFTY_FUZZ_SEED=\(Self.seed)")
        #expect(refused > Self.count / 10 && sent > Self.count / 10)
    }

    @Test("are refused, or sent as they are, when a resource has them")
    func resources() async throws {
        var fields = FieldGenerator(seed: Self.seed &+ 1)
        let server = BaseResource("http://a.test", networkInterface: Unused())
        var (refused, sent) = (0, 0)
        for _ in 0..<Self.count / 20 {
            let (name, bytes) = fields.next()
            let value = String(decoding: bytes, as: UTF8.self)
            let isValid = SentField.isToken(name.utf8) && SentField.isValue(value.utf8)
            do throws(SwiftyError) {
                let request = try await server.get("x").header(name, value).draft.makeRequest()
                #expect(isValid, "\(name.debugDescription): \(value.debugDescription)")
                sent += 1
                expectEqual(try lines(of: request), request.headers.map { SentField($0) })
                #expect(request.headers.map { SentField($0) } == [SentField(name, value.utf8)])
            } catch {
                #expect(error.code == .invalidHeader)
                #expect(!isValid, "\(name.debugDescription): \(value.debugDescription)")
                refused += 1
            }
        }
        #expect(refused > Self.count / 200 && sent > Self.count / 200)
    }

    /// The request's own fields, as HTTP/1.1 sends them.
    private func lines(of request: NetworkRequest) throws(SwiftyError) -> [SentField] {
        let head = try RequestHead(request, contentLength: nil, RequestHead.Additions())
        return SentField.lines(of: head.bytes)
    }

    private func expectSent(_ fields: [HTTPField]) throws {
        var headers = HTTPFields()
        for field in fields { headers.append(field) }
        let request = try NetworkRequest.to("http://a.test/", headers: headers)
        let sent = try lines(of: request)
        expectEqual(sent, fields.map { SentField($0) })
        let head = try RequestHead(request, contentLength: nil, RequestHead.Additions())
        expectEqual(
            SentField.fields(of: HTTP2RequestFields(request, head: head)),
            sent.map(\.lowercased).filter { !$0.concernsConnection }
        )
    }

    private func expectEqual(_ sent: [SentField], _ given: [SentField]) {
        if sent != given { Issue.record("sent \(sent), given \(given); seed \(Self.seed)") }
    }
}

private struct Unused: NetworkInterface {
    func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        NetworkResponse(error: SwiftyError(.transportFailed, stage: .building, reason: "not loaded"))
    }
}
