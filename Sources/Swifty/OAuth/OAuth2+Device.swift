// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Date

extension OAuth2 {
    /// What a user needs who lets a device, or a program without a browser, log in (RFC 8628 §3.3).
    public struct DevicePrompt: Sendable, Hashable {
        /// The code to enter, without control characters. It is not a secret of the program, but whoever enters it
        /// decides which account the program uses.
        public let userCode: String
        /// The page where the user enters the code: an `http` or `https` URL of visible ASCII characters.
        public let verificationURI: String
        /// The same page with the code, for a QR code; `nil` if the server has none.
        public let verificationURIComplete: String?
        /// The end of the time for the login.
        public let expiresAt: Date

        /// Makes a prompt, for tests of what shows it.
        public init(
            userCode: String,
            verificationURI: String,
            verificationURIComplete: String? = nil,
            expiresAt: Date
        ) {
            self.userCode = userCode
            self.verificationURI = verificationURI
            self.verificationURIComplete = verificationURIComplete
            self.expiresAt = expiresAt
        }
    }

    /// Logs a user in who enters a code on another device: the device authorization grant (RFC 8628). Replaces all
    /// tokens, and returns when they are stored.
    ///
    ///     try await oauth.logInWithDevice(authorizationURL: "https://auth.example.com/device") { prompt in
    ///         print("Open \(prompt.verificationURI) and enter \(prompt.userCode)")
    ///     }
    ///
    /// Requests a code, shows it, and asks the token endpoint until the user has decided, at the interval that the
    /// server wants, at least each second. If the network or the server fails, the wait is doubled each time, up to a
    /// minute. Waits go by the clock of the network interface. Cancelling the task ends them. The ``OAuth2`` must be
    /// made with `grant: .refreshToken()`, by which the tokens are renewed.
    ///
    /// - Parameters:
    ///   - authorizationURL: The device authorization endpoint (RFC 8628 §3.1).
    ///   - scope: The requested scope, separated by spaces; `nil` for that of the ``OAuth2``.
    ///   - parameters: Additional fields of the device authorization request.
    ///   - prompt: The closure that shows the code. The server is asked after it has returned; if it throws, the login
    ///     ends.
    /// - Throws: ``SwiftyError`` with ``SwiftyError/Code/loginFailed`` and as the underlying error a ``LoginError``, a
    ///   ``TokenError``, or that of the closure; ``SwiftyError/Code/cancelled``; or the error of a request.
    public nonisolated(nonsending) func logInWithDevice(
        authorizationURL: String,
        scope: String? = nil,
        parameters: [String: String] = [:],
        prompt: nonisolated(nonsending) (DevicePrompt) async throws -> Void
    ) async throws(SwiftyError) {
        try session.requireUserGrant()
        var fields = parameters
        if let scope = scope ?? session.endpoint.scope { fields["scope"] = scope }
        do {
            try await DeviceLogin(session: session, url: authorizationURL, fields: fields).run(prompt)
        } catch {
            throw SwiftyError(ofLogin: error)
        }
    }
}
