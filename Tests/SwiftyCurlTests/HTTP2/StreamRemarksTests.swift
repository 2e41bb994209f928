// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCurl

@Suite("What libcurl says about a stream")
struct StreamRemarksTests {
    private func remarks(_ lines: String...) -> StreamRemarks {
        var remarks = StreamRemarks()
        for line in lines { Array(line.utf8).withUnsafeBufferPointer { remarks.note($0) } }
        return remarks
    }

    @Test(
        "the last stream of GOAWAY is noted, in the words of each version",
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

    @Test("the request's stream is noted, in the words of each version")
    func stream() {
        #expect(remarks("Using Stream ID: 7\n").stream == 7)
        #expect(remarks("[HTTP/2] [7] OPENED stream for https://a.test/\n").stream == 7)
        #expect(remarks("[HTTP/2] [7] [x: 9] OPENED stream for https://a.test/\n").stream == nil)
    }

    @Test("a stream beyond the last one of GOAWAY is left out, others are not")
    func leftOut() {
        let first = "recveived GOAWAY, error=0, last_stream=2147483647\n"
        #expect(!remarks("Using Stream ID: 5\n", first).isBeyondLast)
        #expect(remarks("Using Stream ID: 5\n", first, "recveived GOAWAY, error=0, last_stream=3\n").isBeyondLast)
        #expect(!remarks("Using Stream ID: 5\n", "recveived GOAWAY, error=0, last_stream=5\n").isBeyondLast)
        #expect(!remarks("recveived GOAWAY, error=0, last_stream=3\n").isBeyondLast)
    }

    @Test("a refused stream is noted when libcurl is about to send its request again")
    func refused() {
        #expect(remarks("Using Stream ID: 5\n", "REFUSED_STREAM, retrying a fresh connect\n").isRefused)
        #expect(
            !remarks("Using Stream ID: 5\n", "Connection died, retrying a fresh connect (retry count: 1)\n").isRefused
        )
    }

    @Test(
        "what a server can write is not taken for libcurl's words",
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

    @Test("another try starts without the remarks on the one before")
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
