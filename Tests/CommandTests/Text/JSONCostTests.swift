// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport
import SwiftyTransport
import Testing

@testable import SwiftyCommand

/// Formatting a server's content and making names from its fields takes time proportional to their length.
@Suite("The cost of JSON text and of file names", .serialized, .timeLimit(.minutes(15)))
struct JSONCostTests {
    /// The processor time of the calling thread in nanoseconds, the minimum of three tries.
    private func time(_ work: () -> Void) -> UInt64 {
        (0..<3).map { _ in
            let start = clock()
            work()
            return clock() - start
        }.min() ?? 0
    }

    private func clock() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Linear work costs 16 times as much with 16 times the input, quadratic work 256 times.
    private func isBearable(_ unit: String, _ work: (String) -> Void) -> Bool {
        let texts = [8_192, 16 * 8_192].map { String(repeating: unit, count: $0 / unit.utf8.count) }
        return (0..<2).contains { _ in time { work(texts[1]) } < 64 * max(time { work(texts[0]) }, 20_000) }
    }

    @Test(
        "grows with the length of JSON",
        arguments: [
            "[", "1,", "\"a\",", "{\"a\":", "\\u0041", " ", "a", "0", "[],", "{\"token\":{},", "\"", "true,", "1.5e9,",
        ]
    )
    func json(unit: String) {
        for (start, end) in [("", ""), ("[", "0]"), ("\"", "\""), ("{\"a\":[", "0]}")] {
            let isLinear = isBearable(unit) { text in
                _ = JSONText((start + text + end).utf8)?.formatted()
            }
            #expect(isLinear, "\(start)\(unit)…")
        }
    }

    @Test(
        "grows with the length of Content-Disposition",
        arguments: [";", "a=b;", "filename=", "/", ".", "%41", "'", " ", "ü"]
    )
    func names(unit: String) {
        for start in ["", "attachment; filename=", "attachment; filename*=UTF-8''"] {
            let isLinear = isBearable(unit) { text in
                let head = ResponseHead(statusCode: 200, headers: [.contentDisposition: start + text])
                _ = DownloadFileName.name(of: head, target: nil)
            }
            #expect(isLinear, "\(start)\(unit)…")
        }
    }
}
