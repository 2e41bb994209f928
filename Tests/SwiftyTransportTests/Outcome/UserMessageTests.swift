// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Testing

@Suite("The text of an error for users", .timeLimit(.minutes(15)), .serialized)
struct UserMessageTests {
    @Test("replaces the localized description, and nothing else, until it is removed")
    func texts() {
        let code = SwiftyError.Code(rawValue: "ofThisTestAlone")
        let error = SwiftyError(code, stage: .validation, reason: "for developers")
        let other = SwiftyError(.timedOut, stage: .connect)
        SwiftyError.setUserMessage { $0.code == code ? "Für Menschen." : nil }
        #expect(error.localizedDescription == "Für Menschen.")
        #expect((error as any Error).localizedDescription == "Für Menschen.")
        #expect(error.description.contains("for developers"))
        #expect(other.localizedDescription == other.description)
        SwiftyError.setUserMessage(nil)
        #expect(error.localizedDescription == error.description)
    }
}
