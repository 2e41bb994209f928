// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

@testable import SwiftyCommand

extension RequestOptions {
    /// The options of a request, as `send` parses them.
    static func parse(_ arguments: [String]) throws -> RequestOptions {
        try Send.parse([":1"] + arguments).request
    }
}
