// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// Names of Flipkart's Swifty, so that its call sites compile unchanged; see Docs/Migration.md.

extension QueryEncoding {
    /// `a=1,2`, `a[b]=1`, and `1` or `0` for a `Bool`: the form of Flipkart's Swifty for arrays of strings.
    public static let flipkart = QueryEncoding(arrays: .commaSeparated, bools: .numeric)
}
