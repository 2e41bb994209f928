// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The version of this library.
public enum SwiftyVersion {
    /// As in `1.2.3` (semver.org); also in the `User-Agent` of requests that set none.
    public static let current = "0.1.0"
}
