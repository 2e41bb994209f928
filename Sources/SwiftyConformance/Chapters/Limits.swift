// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import SwiftyTransport

// The limits of responses, and their rules.

extension Conformance {
    /// Responses beyond a limit.
    static let limits = contentLimits + headLimits + lenientResponses

    private static func row(
        _ name: String,
        _ sentence: String,
        _ bytes: String,
        _ capability: TransportCapabilities,
        _ settings: @escaping @Sendable (inout TransportSettings.Responses) -> Void = { _ in }
    ) -> AnswerRow {
        AnswerRow(
            name: name,
            sentence: sentence,
            bytes: bytes,
            outcome: .failure(ExpectedFailure(.responseTooLarge)),
            needs: [.network, capability],
            settings: { settings(&$0.responses) }
        )
    }

    private static let (ok, chunked) = (AnswerRow.ok, AnswerRow.chunked)
    private static let thousand = String(repeating: "a", count: 1_000)

    private static let contentLimits =
        AnswerRow.scenarios(
            "limits",
            [
                row(
                    "content-announced",
                    "Content that is announced as too large is refused at its head.",
                    ok + "Content-Length: 1001\r\n\r\n",
                    .contentLimit
                ) { $0.contentLimit = 1_000 },
                row(
                    "content-chunked",
                    "Chunks beyond the limit are refused.",
                    chunked + "3e8\r\n\(thousand)\r\n3e8\r\n\(thousand)\r\n",
                    .contentLimit
                ) {
                    $0.contentLimit = 1_999
                },
                row(
                    "content-until-close",
                    "Content that ends with the connection has the same limit.",
                    ok + "\r\n" + thousand + thousand,
                    .contentLimit
                ) { $0.contentLimit = 1_999 },
                row(
                    "content-default",
                    "Without settings, content of an absurd length is refused at its head.",
                    ok + "Content-Length: 999999999999999999\r\n\r\n",
                    .contentLimit
                ),
            ]
        ) + [
            ConformanceScenario(
                "limits/content-within",
                "Content of exactly the limit is accepted.",
                needs: [.network, .contentLimit]
            ) { run in
                let server = try run.server(.readRequest, .respond(content: thousand))
                let transport = run.transport { $0.responses.contentLimit = 1_000 }
                try expect("the content", try await transport.text(of: server.url), is: thousand)
            },
            ConformanceScenario(
                "limits/content-streamed",
                "Streamed content has no limit.",
                needs: [.network, .contentLimit, .streamedResponses]
            ) { run in
                let server = try run.server(.readRequest, .respond(content: thousand))
                let transport = run.transport { $0.responses.contentLimit = 10 }
                let content = try await transport.open(.to(server.url)).content
                try expect("the number of bytes", try await content.collect().count, is: 1_000)
            },
        ]

    private static let headLimits = AnswerRow.scenarios(
        "limits",
        [
            row("head", "A head beyond the limit is refused.", ok + "X-A: \(thousand)\r\n\r\n", .headLimits) {
                $0.headLimit = 500
            },
            row(
                "head-default",
                "Without settings, a head of a megabyte is refused.",
                ok + "X-A: \(String(repeating: thousand, count: 1_000))\r\n\r\n",
                .headLimits
            ),
            row(
                "fields",
                "Too many fields are refused.",
                ok + String(repeating: "X: y\r\n", count: 20) + "\r\n",
                .headLimits
            ) { $0.fieldCountLimit = 10 },
            row(
                "fields-default",
                "Without settings, 10,000 fields are refused.",
                ok + String(repeating: "X: y\r\n", count: 10_000) + "\r\n",
                .headLimits
            ),
            row(
                "informational",
                "Too many informational responses are refused.",
                String(repeating: "HTTP/1.1 103 Hints\r\n\r\n", count: 5) + ok + "Content-Length: 0\r\n\r\n",
                .headLimits
            ) { $0.informationalLimit = 4 },
            row(
                "informational-endless",
                "Endless informational responses are refused.",
                String(repeating: "HTTP/1.1 103 Hints\r\n\r\n", count: 20_000),
                .headLimits
            ),
            row(
                "trailers",
                "Trailers beyond the limit are refused.",
                chunked + "0\r\nX-A: \(thousand)\r\n\r\n",
                .headLimits
            ) { $0.trailerLimit = 500 },
            row(
                "chunk-extensions",
                "Endless extensions of a chunk are refused.",
                chunked + "3;" + String(repeating: thousand, count: 1_000),
                .headLimits
            ),
        ]
    )

    private static let lenientResponses = [
        ("space-before-colon", "a space before a colon", AnswerRow.short + "X-A : b\r\n\r\nabc"),
        ("bare-return", "a bare CR", AnswerRow.short + "X-A: b\rc\r\n\r\nabc"),
        ("length-list", "equal lengths as a list", ok + "Content-Length: 3, 3\r\n\r\nabc"),
        (
            "length-and-chunked", "chunks, which count more than a length",
            ok + "Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        ),
    ].map { name, words, bytes in
        ConformanceScenario(
            "limits/lenient-\(name)",
            "Lenient rules accept \(words), and do not use the connection again.",
            needs: [.network, .lenientResponses]
        ) { run in
            let answers: [ScriptedServer.Step] = [
                .readRequest, .send(bytes), .readRequest, .respond(content: "reused"), .stall,
            ]
            let server = try run.server(first: answers, then: "fresh")
            let transport = run.transport { $0.responses.strictness = .lenient }
            try expect("the content", try await transport.text(of: server.url), is: "abc")
            try expect("the next content", try await transport.text(of: server.url), is: "fresh")
        }
    }
}
