// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The source of a credential that requests to some origins carry: an ``APIKey`` or an ``OAuth2``.
protocol CredentialSource: Sendable, CustomStringConvertible {
    /// The origins that the credential may be sent to.
    var origins: AllowedOrigins { get }

    var hasValidCredential: Bool { get }

    /// Gets a valid credential. Called by one flight at a time.
    func renewCredential() async throws

    /// The credential of this kind that a request carries; `nil` if it carries none.
    func credential(in target: TargetURI?, _ headers: HTTPFields) -> String?

    /// Drops a credential that a server refused with a 401.
    ///
    /// - Returns: `true` if the request may be sent again with another credential.
    func invalidate(_ credential: String) -> Bool
}

/// Holds loads until there is a valid credential for their requests.
// Safety: immutable; the source has its own locks.
final class CredentialConstraint: AsyncConstraint, @unchecked Sendable {
    private let source: any CredentialSource
    private let limit: Duration

    /// - Parameter timeout: The time limit of a flight.
    init(_ source: any CredentialSource, timeout: Duration = .seconds(60)) {
        self.source = source
        limit = timeout
    }

    override var constraintName: String { source.description }

    override var timeout: Duration { limit }

    override func isKnownSatisfied(for resource: NetworkResource) -> Bool {
        if source.origins.validationError != nil { return false }
        return !source.origins.include(resource.draft) || source.hasValidCredential
    }

    override func isSatisfied(for resource: NetworkResource) async -> Bool {
        isKnownSatisfied(for: resource)
    }

    override func satisfy(for resource: NetworkResource) async throws {
        if let error = source.origins.validationError { throw error }
        try await source.renewCredential()
    }

    override func invalidate(after response: NetworkResponse) -> Bool {
        guard response.statusCode == 401, let request = response.request,
            source.origins.contains(request.target),
            let credential = source.credential(in: request.target, request.headers)
        else { return false }
        return source.invalidate(credential)
    }
}

/// The origins that a credential may be sent to: scheme, host and port must be equal (RFC 6454 §4).
struct AllowedOrigins: Sendable {
    private let origins: Set<String>

    /// The error of the last invalid URL; `nil` if all URLs are valid.
    let validationError: SwiftyError?

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
