// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How often a long test repeats what it does.
package enum Thoroughness {
    /// Whether this is a run before a release; `Scripts/check-deep` sets `SWIFTY_DEEP`.
    package static let isDeep = environment["SWIFTY_DEEP"] != nil

    /// Whether a sanitizer makes everything slow; `Scripts/test` sets `SWIFTY_SANITIZER`.
    package static let isSanitized = environment["SWIFTY_SANITIZER"] != nil

    private static let environment = ProcessInfo.processInfo.environment
}
