// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension SwiftyError.Code {
    /// A Basic or Bearer credential would have gone over `http` without having been allowed to; it was not sent.
    public static let insecureCredential = SwiftyError.Code(rawValue: "insecureCredential")
    /// The credential cannot be sent: a user name with a colon, control characters.
    public static let invalidCredential = SwiftyError.Code(rawValue: "invalidCredential")
    /// An ``AuthenticationChallengeHandler`` cancelled the load; the server's answer is in `response`.
    public static let authenticationCancelled = SwiftyError.Code(rawValue: "authenticationCancelled")
    /// An ``AuthenticationChallengeHandler`` failed with the error in `underlying`; the server's answer is in `response`.
    public static let authenticationFailed = SwiftyError.Code(rawValue: "authenticationFailed")
    /// The server's proof that it knows the password (`rspauth` of RFC 7616 §3.5) is wrong.
    public static let serverNotAuthenticated = SwiftyError.Code(rawValue: "serverNotAuthenticated")
}
