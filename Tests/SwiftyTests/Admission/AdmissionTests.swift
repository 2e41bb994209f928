// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Testing

/// The tests of the types that decide when a load is sent.
@Suite("Admission", .timeLimit(.minutes(15)))
enum AdmissionTests {}

extension AdmissionTests {
    @Suite("The Priority field", .timeLimit(.minutes(15)))
    struct PriorityFieldTests {
        @Test("has the urgency of the priority, and is left out for the normal one")
        func values() {
            let values = NetworkRequest.Priority.allCases.map { priority in priority.fieldValue.map { "\($0)" } }
            #expect(values == ["u=6", "u=5", nil, "u=1", "u=0"])
        }
    }
}
