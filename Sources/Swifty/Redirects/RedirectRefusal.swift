// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Why a redirect that should be followed is not.
struct RedirectRefusal: Error, Equatable {
    let code: SwiftyError.Code
    /// In words, without secrets.
    let reason: String

    init(_ code: SwiftyError.Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
