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
final class CredentialConstraint: AsyncConstraint {
    let timeout: Duration
    private let source: any CredentialSource

    /// - Parameter timeout: The time limit of a flight.
    init(_ source: any CredentialSource, timeout: Duration = .seconds(60)) {
        self.source = source
        self.timeout = timeout
    }

    var constraintName: String { source.description }

    func isKnownSatisfied(for resource: NetworkResource) -> Bool {
        if source.origins.validationError != nil { return false }
        return !source.origins.include(resource.draft) || source.hasValidCredential
    }

    func isSatisfied(for resource: NetworkResource) async -> Bool {
        isKnownSatisfied(for: resource)
    }

    func satisfy(for resource: NetworkResource) async throws {
        if let error = source.origins.validationError { throw error }
        try await source.renewCredential()
    }

    func invalidate(after response: NetworkResponse) -> Bool {
        guard response.statusCode == 401, let request = response.request,
            source.origins.contains(request.target),
            let credential = source.credential(in: request.target, request.headers)
        else { return false }
        return source.invalidate(credential)
    }
}

/// Adds a credential to the requests that its constraint holds until there is one.
protocol CredentialInterceptor: RequestInterceptor {
    /// The hooks that select the constraint; see ``RegisteredConstraint``. Set at the registration.
    var names: [any Swifty.Hook] { get set }
}

extension CredentialInterceptor {
    /// Whether the constraint may hold the request: one that does not wait for the credential does not carry it.
    func isMeant(for draft: RequestDraft) -> Bool {
        draft.constraints.includes(names)
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

    /// Whether the origin of a request is allowed.
    func include(_ draft: RequestDraft) -> Bool {
        draft.fullTarget.map(contains) ?? false
    }

    /// Whether the origin of a URI is allowed.
    func contains(_ target: TargetURI) -> Bool {
        origins.contains(target.origin)
    }
}
