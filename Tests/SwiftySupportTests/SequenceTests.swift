// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Testing

@Suite("The first result of a sequence", .timeLimit(.minutes(15)))
struct SequenceTests {
    @Test("is that of the first element with one, and no element is asked twice")
    func firstResult() {
        var asked: [Int] = []
        let result = (1...9).firstResult { number -> String? in
            asked.append(number)
            return number == 3 ? "three" : nil
        }
        #expect(result == "three")
        #expect(asked == [1, 2, 3])
        #expect([1, 2].firstResult { _ -> Int? in nil } == nil)
    }
}
