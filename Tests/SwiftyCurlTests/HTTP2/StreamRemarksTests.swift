// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCurl

@Suite("libcurl's debug text about HTTP/2 streams", .timeLimit(.minutes(15)))
struct StreamRemarksTests {
    private func remarks(_ lines: String...) -> StreamRemarks {
        var remarks = StreamRemarks()
        for line in lines { Array(line.utf8).withUnsafeBufferPointer { remarks.note($0) } }
        return remarks
    }

    @Test(
        "gives the last stream of GOAWAY, in the form of each version",
        arguments: [
            ("recveived GOAWAY, error=0, last_stream=3\n", 3), ("received GOAWAY, error=11, last_stream=0\n", 0),
            ("received GOAWAY, error=0, last_stream=2147483647\n", 2_147_483_647),
        ]
    )
    func goAway(_ text: String, _ last: Int) {
        let remarks = remarks("Using Stream ID: 5 (easy handle 0x55)\n", text)
        #expect(remarks.stream == 5)
        #expect(remarks.lastStream == last)
    }

    @Test("gives the request's stream, in the form of each version")
    func stream() {
        #expect(remarks("Using Stream ID: 7\n").stream == 7)
        #expect(remarks("[HTTP/2] [7] OPENED stream for https://a.test/\n").stream == 7)
        #expect(remarks("[HTTP/2] [7] [x: 9] OPENED stream for https://a.test/\n").stream == nil)
    }

    @Test("excludes a stream beyond the last one of GOAWAY, and no others")
    func leftOut() {
        let first = "recveived GOAWAY, error=0, last_stream=2147483647\n"
        #expect(!remarks("Using Stream ID: 5\n", first).isBeyondLast)
        #expect(remarks("Using Stream ID: 5\n", first, "recveived GOAWAY, error=0, last_stream=3\n").isBeyondLast)
        #expect(!remarks("Using Stream ID: 5\n", "recveived GOAWAY, error=0, last_stream=5\n").isBeyondLast)
        #expect(!remarks("recveived GOAWAY, error=0, last_stream=3\n").isBeyondLast)
    }

    @Test("reports a refused stream when libcurl is about to repeat its request")
    func refused() {
        #expect(remarks("Using Stream ID: 5\n", "REFUSED_STREAM, retrying a fresh connect\n").isRefused)
        #expect(
            !remarks("Using Stream ID: 5\n", "Connection died, retrying a fresh connect (retry count: 1)\n").isRefused
        )
    }

    @Test(
        "is not confused with text that a server can write",
        arguments: [
            "h2h3 [x: received GOAWAY, error=0, last_stream=0]\n", "GOAWAY, error=0, last_stream=0", "", "r",
            "recveived GOAWAY, error=", "recveived GOAWAY, error=0, last_stream=",
            "recveived GOAWAY, error=0, last_stream=99999999999999999999",
            " REFUSED_STREAM, retrying a fresh connect\n",
        ]
    )
    func hostile(_ text: String) {
        let remarks = remarks("Using Stream ID: 3\n", text)
        #expect(remarks.lastStream == nil)
        #expect(!remarks.isRefused)
    }

    @Test("is forgotten when another attempt starts")
    func restart() {
        var remarks = remarks(
            "Using Stream ID: 5\n",
            "recveived GOAWAY, error=0, last_stream=3\n",
            "REFUSED_STREAM, retrying a fresh connect\n"
        )
        remarks.restart()
        #expect(remarks == StreamRemarks())
    }
}
