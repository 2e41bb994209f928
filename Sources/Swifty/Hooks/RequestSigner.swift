// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A hook that signs requests as they are sent: with default fields, cookies, credentials and compressed content.
///
///     struct Signed: RequestSigner {
///         let key: SigningKey
///
///         func fields(signing request: NetworkRequest) async throws -> HTTPFields {
///             let digest = try await request.contentDigest() ?? ""
///             return [.authorization: key.signature(of: "\(request.method) \(request.target.path) \(digest)")]
///         }
///     }
///
/// Called for each request of each attempt, also for the answer to a challenge and for a redirect, in the order of
/// registration, after all other hooks. Not called for a redirect to another origin. A signed request is changed no
/// more: the transport only adds the fields that frame it and name its host.
///
/// When the load is cancelled or reaches its time limit, the signer's task is cancelled.
public protocol RequestSigner: Swifty.Hook {
    /// Returns the fields to set on the request, in place of any with the same names.
    ///
    /// - Parameter request: The request. Its content must not be read directly; see ``NetworkRequest/contentDigest()``.
    /// - Throws: The error of the load, as in ``RequestInterceptor/intercept(resource:)``. The request is not sent.
    func fields(signing request: NetworkRequest) async throws -> HTTPFields
}

extension NetworkRequest {
    /// The SHA-256 digest of the content, in lower-case hexadecimal digits; `nil` if the content can be produced only
    /// once, while it is sent.
    ///
    /// A file is read once more for it. If it changes before it is sent, the transfer fails.
    ///
    /// - Throws: ``SwiftyError`` with ``SwiftyError/Code/contentUnreadable``, if the content cannot be read.
    public func contentDigest() async throws(SwiftyError) -> String? {
        var digest = SHA256Digest()
        switch content {
        case .none: break
        case .data(let data): digest.update(data)
        case .source(let source):
            // Not at the rate at which it is sent.
            let source = (source as? PacedSource)?.source ?? source
            guard source.isRewindable, let copy = source.replayed() else { return nil }
            defer { copy.cancel() }
            try await copy.addContent(to: &digest)
        }
        return digest.finalize()
    }
}

extension ContentSource {
    fileprivate func addContent(to digest: inout SHA256Digest) async throws(SwiftyError) {
        do {
            while let part = try await next() { digest.update(part) }
        } catch {
            if let error = SwiftyError(thrown: error, stage: .building) { throw error }
            let reason = "the content cannot be read for its digest: \(error)"
            throw SwiftyError(.contentUnreadable, stage: .building, reason: reason, underlying: error)
        }
    }
}
