// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

extension HeadCollector {
    /// The size of a response's head and trailers, checked against limits so that a server cannot send them endlessly.
    struct Counts {
        private(set) var bytes = 0
        private var trailerBytes = 0
        private var lines = 0
        private var informational = 0

        /// Counts a line and returns the error if a limit is exceeded.
        mutating func add(_ count: Int, isTrailer: Bool, _ rules: TransportSettings.Responses) -> ResponseError? {
            bytes &+= count
            lines &+= 1
            if isTrailer { trailerBytes &+= count }
            if bytes > rules.headLimit {
                return .tooLarge(
                    "the response's header fields exceed \(rules.headLimit) bytes, \(Setting.headLimit.limit)"
                )
            }
            if trailerBytes > rules.trailerLimit {
                return .tooLarge(
                    "the response's trailers exceed \(rules.trailerLimit) bytes, \(Setting.trailerLimit.limit)"
                )
            }
            // Status lines and empty lines are not fields.
            if lines &- 2 &* (informational &+ 1) > rules.fieldCountLimit {
                return .tooLarge(
                    "the response has more than \(rules.fieldCountLimit) fields, \(Setting.fieldCountLimit.limit)"
                )
            }
            return nil
        }

        /// Counts the head of an informational response.
        mutating func addInformational(_ rules: TransportSettings.Responses) -> ResponseError? {
            informational &+= 1
            guard informational > rules.informationalLimit else { return nil }
            return .tooLarge(
                "more than \(rules.informationalLimit) informational responses came before the final one, "
                    + Setting.informationalLimit.limit
            )
        }
    }
}
