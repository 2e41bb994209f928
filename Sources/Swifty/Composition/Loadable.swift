// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What can be loaded for a value: a request, a typed request, or several in a row.
public protocol LoadStep: Sendable {
    /// What the load returns.
    associatedtype Output: Sendable

    /// Loads.
    ///
    /// Cancelling the calling task ends the load.
    ///
    /// - Throws: ``SwiftyError``.
    func load() async throws(SwiftyError) -> Output
}

extension NetworkResource: LoadStep {}

extension TypedResource: LoadStep {}
