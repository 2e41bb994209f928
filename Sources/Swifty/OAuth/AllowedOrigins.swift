// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The origins that a credential may be sent to: scheme, host and port must be the same (RFC 6454 §4).
struct AllowedOrigins: Sendable {
    private let origins: Set<String>

    /// What is wrong with the first URL that cannot be used; `nil` if all can.
    let mistake: SwiftyError?

    /// Takes the origins of absolute URLs.
    init(of urls: [String]) {
        var origins: Set<String> = []
        var mistake: SwiftyError?
        for url in urls {
            do throws(TargetURI.ValidationError) {
                origins.insert(try TargetURI(url).origin)
            } catch {
                mistake = SwiftyError(
                    .invalidBaseURL,
                    stage: .building,
                    reason: "a server URL of the credential cannot be used: \(error.reason)"
                )
            }
        }
        self.origins = origins
        self.mistake = mistake
    }

    /// Whether the credential belongs on the request: it goes to an allowed origin and has not opted out.
    func include(_ draft: RequestDraft) -> Bool {
        guard draft.canHaveConstraints, let target = draft.fullTarget else { return false }
        return contains(target)
    }

    /// Whether a URI is on one of the origins.
    func contains(_ target: TargetURI) -> Bool {
        origins.contains(target.origin)
    }
}
