// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension OAuth2 {
    /// Where the tokens of an ``OAuth2`` outlive the process: a file, a database, a keychain.
    ///
    /// `load` is called once, before the first token is asked for. `save` is called after every change, one call at a time, with
    /// what is to be kept from now on; loads that wait for the token wait for it too, so that a rotated refresh token is safe
    /// before it is needed. A storage that fails reports that in its own way: without stored tokens new ones are asked for.
    public protocol TokenStorage: Sendable {
        /// Returns what was saved last; `nil` if that is nothing.
        func load() async -> Token?

        /// Keeps the tokens in place of those before; `nil` removes them.
        func save(_ token: Token?) async
    }
}
