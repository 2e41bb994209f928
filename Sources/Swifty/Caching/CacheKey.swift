// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The key of a stored response: the resource, and the user.
struct CacheKey: Hashable, Sendable {
    /// The URI.
    let resource: CacheDigest
    /// The user, by name or by credentials, and the server in place of that of the URI, if there is one.
    let partition: CacheDigest

    /// The key of a request as it is sent; `nil` if its credentials are different each time.
    init?(_ request: NetworkRequest, partition name: String?) {
        resource = Self.resource(request.target)
        if name == nil, Self.hasCredentialOfOneRequest(request) { return nil }
        let server = request.connectsTo.map { "\($0)" } ?? ""
        let user = name.map { ["named", $0] } ?? ["sent"] + Self.credentials(of: request)
        partition = CacheDigest([server] + user)
    }

    static func resource(_ target: TargetURI) -> CacheDigest { CacheDigest([target.string]) }

    /// The secret fields, in the order of their names: secret by their names, or by a value that the request declares,
    /// as an API key in a field of any name is.
    private static func credentials(of request: NetworkRequest) -> [String] {
        let (names, values) = (request.secrets?.names, request.secrets?.values ?? [])
        let fields = request.headers.filter { field in
            field.name.isBoundToOrigin || names?.contains(field.name.canonicalName) ?? false
                || values.contains { field.value.contains($0) }
        }
        return fields.sorted { $0.name.canonicalName < $1.name.canonicalName }
            .flatMap { [$0.name.canonicalName, $0.value] }
    }

    /// Whether a scheme signs the single request, so that no later one has the same credential.
    private static func hasCredentialOfOneRequest(_ request: NetworkRequest) -> Bool {
        guard let value = request.headers[.authorization] else { return false }
        return signing.contains(value.prefix { $0 != " " }.lowercased())
    }

    private static let signing: Set = ["digest", "negotiate", "ntlm", "hawk", "oauth", "aws4-hmac-sha256"]
}
