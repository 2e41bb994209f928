// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import Testing

@Suite("Content whose length is announced", .timeLimit(.minutes(15)))
struct AnnouncedLengthTests {
    /// Content of five bytes, or of none, that its source contradicts or confirms.
    struct Case: CustomTestStringConvertible {
        var parts: [String]
        var length = 5
        /// The end of the reason; `nil` for content that is as it was announced.
        var reason: String?

        var testDescription: String { "\(parts) for \(length) bytes" }
    }

    private static let tooLong = "more than the 5 bytes that were announced"

    static let cases = [
        Case(parts: ["12345"]),
        Case(parts: ["1", "234", "5"]),
        Case(parts: [], length: 0),
        Case(parts: ["12345", "678"], reason: tooLong),
        Case(parts: ["12345", "", "6"], reason: tooLong),
        Case(parts: ["123", "456"], reason: tooLong),
        Case(parts: ["123456"], reason: tooLong),
        Case(parts: ["x"], length: 0, reason: "more than the 0 bytes that were announced"),
        Case(parts: ["1234"], reason: "ends after 4 of the 5 bytes that were announced"),
        Case(parts: [], reason: "ends after 0 of the 5 bytes that were announced"),
    ]

    @Test(
        "is sent whole, or fails before the server has a complete request, however late the source says more",
        arguments: cases,
        ["http1", "http2"]
    )
    func contradiction(subject: Case, version: String) async throws {
        let peer = try await TLSPeer("versions.py", option: "\(version)/serve/0")
        for pause in [0, 200] {
            let source = PausingSource(
                subject.parts,
                length: subject.length,
                pause: .milliseconds(pause),
                .replay
            )
            let transport = peer.transport()
            let before = try await transport.get(peer.url("count")).text
            let result = await transport.result(of: try .to(peer.url("upload"), method: .post).sending(source))
            let after = try await transport.get(peer.url("count")).text
            switch (result, subject.reason) {
            case (.success, nil):
                #expect(Int(after) == (Int(before) ?? 0) + 1)
            case (.failure(let error), let reason?):
                #expect(error.code == .contentUnreadable)
                #expect(error.reason.hasSuffix(reason), "\(error.reason)")
                #expect(after == before, "the server has a complete request")
            default: Issue.record("\(result)")
            }
        }
    }
}
