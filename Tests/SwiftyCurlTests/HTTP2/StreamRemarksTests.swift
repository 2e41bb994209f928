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

    @Test("a stream above the last one of GOAWAY was not seen, others may have been")
    func goAway() {
        let stream = "Using Stream ID: 5 (easy handle 0x55)\n"
        #expect(remarks(stream, "recveived GOAWAY, error=0, last_stream=3\n").isUnseen)
        #expect(remarks(stream, "received GOAWAY, error=11, last_stream=0\n").isUnseen)
        #expect(!remarks(stream, "recveived GOAWAY, error=0, last_stream=5\n").isUnseen)
        #expect(!remarks(stream, "recveived GOAWAY, error=0, last_stream=2147483647\n").isUnseen)
    }

    @Test("a GOAWAY that lowers the last stream counts, one before the request does not")
    func order() {
        let first = "recveived GOAWAY, error=0, last_stream=2147483647\n"
        let second = "recveived GOAWAY, error=0, last_stream=1\n"
        #expect(remarks("Using Stream ID: 3\n", first, second).isUnseen)
        #expect(!remarks(second, "Using Stream ID: 3\n").isUnseen)
    }

    @Test(
        "what a server can write is not taken for libcurl's words",
        arguments: [
            "h2h3 [x: received GOAWAY, error=0, last_stream=0]\n", "GOAWAY, error=0, last_stream=0", "", "r",
            "recveived GOAWAY, error=", "recveived GOAWAY, error=0, last_stream=",
            "recveived GOAWAY, error=0, last_stream=99999999999999999999",
        ]
    )
    func hostile(_ text: String) {
        #expect(!remarks("Using Stream ID: 3\n", text).isUnseen)
    }

    @Test("another try starts without the remarks on the one before")
    func restart() {
        var remarks = remarks("Using Stream ID: 5\n", "recveived GOAWAY, error=0, last_stream=3\n")
        remarks.restart()
        #expect(!remarks.isUnseen)
    }
}
