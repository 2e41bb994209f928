// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension CookieJar {
    /// Why a jar does not take a cookie.
    public enum Rejection: String, Error, Sendable, Hashable {
        /// Neither a name nor a value, or bytes that are not UTF-8.
        case malformed
        /// A control character other than the tab.
        case controlCharacter
        /// Name and value have more than 4,096 bytes.
        case tooLarge
        /// `Domain` names something that the host does not belong to.
        case foreignDomain
        /// `Domain` names a domain under which anybody can register, as `co.uk`.
        case publicSuffix
        /// `Secure` from a server that was not reached over https.
        case insecureOrigin
        /// A cookie from a server that was not reached over https would hide a secure one.
        case hidesSecureCookie
        /// A name with the prefix `__Secure-` or `__Host-` without what the prefix promises.
        case brokenPromise
    }
}
