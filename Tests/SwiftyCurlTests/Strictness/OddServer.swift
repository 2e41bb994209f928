// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTesting

extension RawServer {
    /// Answers the first request with these bytes and would answer a second one on the same connection with `reused`; on
    /// every other connection it answers properly with `fresh`.
    static func answering(_ answer: String, then steps: [Step] = []) throws -> RawServer {
        let first = Array(answer.utf8)
        return try RawServer { connection in
            connection == 0
                ? [.readRequest, .send(first)] + steps + [.readRequest, .respond(body: "reused")]
                : [.readRequest, .respond(body: "fresh"), .stall]
        }
    }
}
