// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The origins that a credential may be sent to: scheme, host and port must be equal (RFC 6454 §4).
struct AllowedOrigins: Sendable {
    private let origins: Set<String>

    /// The error of the last invalid URL; `nil` if all URLs are valid.
    let validationError: SwiftyError?

    /// Collects the origins of absolute URLs.
    init(of urls: [String]) {
        var origins: Set<String> = []
        var validationError: SwiftyError?
        for url in urls {
            do throws(TargetURI.ValidationError) {
                origins.insert(try TargetURI(url).origin)
            } catch {
                validationError = SwiftyError(
                    .invalidBaseURL,
                    stage: .building,
                    reason: "a server URL of the credential cannot be used: \(error.reason)"
                )
            }
        }
        self.origins = origins
        self.validationError = validationError
    }

    /// Whether a request may carry the credential: its origin is allowed, and it can have constraints.
    func include(_ draft: RequestDraft) -> Bool {
        guard draft.canHaveConstraints, let target = draft.fullTarget else { return false }
        return contains(target)
    }

    /// Whether the origin of a URI is allowed.
    func contains(_ target: TargetURI) -> Bool {
        origins.contains(target.origin)
    }
}
