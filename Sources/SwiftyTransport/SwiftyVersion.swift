// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The version of this library.
package enum SwiftyVersion {
    /// As in `1.2.3` (semver.org); also in the `User-Agent` of requests that set none.
    package static let current = "0.1.0"
}
