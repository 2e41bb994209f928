// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The version of this library.
package enum SwiftyVersion {
    /// A semantic version such as `1.2.3`, also sent in the `User-Agent` of requests that do not set one.
    package static let current = "0.1.0"
}
