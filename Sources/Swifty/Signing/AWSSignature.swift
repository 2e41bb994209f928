// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Date

/// Signs requests with AWS Signature Version 4, for AWS and for servers with the same interface.
///
///     let signature = AWSSignature(region: "eu-central-1", service: "execute-api") {
///         try await Vault.shared.currentKeys()
///     }
///     let swifty = Swifty { $0.use(signature) }
///
/// Each request is signed as it is sent, with its method, target, content and header fields, apart from those that
/// intermediaries change. Register it with the `Swifty` of the service, or with single requests: it signs every request
/// that it is registered for.
///
/// Content that can be produced only once cannot be signed. S3 takes it unsigned over `https`; anything else fails the
/// load with ``SwiftyError/Code/contentNotReplayable``.
///
/// Source: AWS Identity and Access Management User Guide, "AWS Signature Version 4 for API requests".
public struct AWSSignature: RequestSigner {
    private let region: String
    private let service: String
    private let now: @Sendable () -> Date
    private let credentials: @Sendable () async throws -> Credentials

    /// Makes a signer.
    ///
    /// - Parameters:
    ///   - region: The region of the service, such as `us-east-1`.
    ///   - service: The name by which the service verifies signatures, such as `s3`, `dynamodb` or `execute-api`. With
    ///     `s3`, paths are signed as they are, and requests contain the hash of their content.
    ///   - now: The clock.
    ///   - credentials: Returns the current keys; called for each request, so it should keep them until they expire. An
    ///     error that it throws fails the load with ``SwiftyError/Code/interceptorFailed``.
    public init(
        region: String,
        service: String,
        now: @escaping @Sendable () -> Date = { Date() },
        credentials: @escaping @Sendable () async throws -> Credentials
    ) {
        self.region = region
        self.service = service
        self.now = now
        self.credentials = credentials
    }

    /// Makes a signer with keys that do not change.
    public init(region: String, service: String, credentials: Credentials) {
        self.init(region: region, service: service) { credentials }
    }

    /// The fields of the signature: `Authorization`, `X-Amz-Date`, and where they are needed `X-Amz-Security-Token` and
    /// `X-Amz-Content-Sha256`.
    ///
    /// - Throws: ``SwiftyError``, or the error of the closure for the keys.
    public func fields(signing request: NetworkRequest) async throws -> HTTPFields {
        let message = SignatureV4.Message(request, payloadHash: try await payloadHash(of: request))
        var fields = HTTPFields()
        for field in signature(try await credentials()).fields(for: message, at: now()) {
            fields.append(try Self.field(field))
        }
        return fields
    }

    /// A URL that anyone may use until it expires, such as one for the download of a file.
    ///
    /// - Parameters:
    ///   - target: The URL. Of `s3` it is for any content, and otherwise for none.
    ///   - method: The method that it is for.
    ///   - lifetime: How long it is valid, 1 s to 7 days; whole seconds.
    /// - Throws: ``SwiftyError`` with ``SwiftyError/Code/invalidSettings`` for another lifetime, or the error of the
    ///   closure for the keys.
    public func presignedURL(
        for target: TargetURI,
        method: HTTPRequest.Method = .get,
        lifetime: Duration
    ) async throws -> TargetURI {
        let seconds = lifetime.components.seconds
        guard (1...604_800).contains(seconds) else {
            let reason = "a presigned URL is valid for 1 s to 7 days, and not for \(lifetime)"
            throw SwiftyError(.invalidSettings, stage: .building, reason: reason)
        }
        let request = NetworkRequest(method: method, target: target)
        let hash = isS3 ? SignatureV4.unsignedPayload : SignatureV4.payloadHash(of: [])
        let message = SignatureV4.Message(request, payloadHash: hash)
        let signature = signature(try await credentials())
        let query = signature.presignedQuery(for: message, at: now(), expiresAfter: Int(seconds))
        let base = target.string.prefix { $0 != "?" }
        return try TargetURI("\(base)?\(query)")
    }

    private var isS3: Bool { service == "s3" }

    private func signature(_ credentials: Credentials) -> SignatureV4 {
        SignatureV4(
            credentials: credentials,
            region: region,
            service: service,
            options: isS3 ? .s3 : SignatureV4.Options()
        )
    }

    private func payloadHash(of request: NetworkRequest) async throws(SwiftyError) -> String {
        if let digest = try await request.contentDigest() { return digest }
        if isS3, request.target.scheme == .https { return SignatureV4.unsignedPayload }
        let reason = "content that can be produced only once cannot be signed"
        throw SwiftyError(.contentNotReplayable, stage: .requestInterceptor, reason: reason)
    }

    private static func field(_ field: SignatureV4.Field) throws(SwiftyError) -> HTTPField {
        guard let name = HTTPField.Name(field.name), HTTPField.isValidValue(field.value) else {
            let reason = "the keys, the region or the service contain a control character"
            throw SwiftyError(.invalidCredential, stage: .requestInterceptor, reason: reason)
        }
        return HTTPField(name: name, value: field.value)
    }
}

extension AWSSignature {
    /// A key of AWS, with its secret.
    public struct Credentials: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        /// The identifier of the key, which is sent.
        public var accessKeyID: String
        /// The secret, which is not sent.
        public var secretAccessKey: String
        /// The token of temporary keys, which is sent; `nil` for others.
        public var sessionToken: String?

        /// Makes credentials from their parts.
        public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
            self.accessKeyID = accessKeyID
            self.secretAccessKey = secretAccessKey
            self.sessionToken = sessionToken
        }

        /// The identifier of the key, without secrets.
        public var description: String { "Credentials(\(accessKeyID))" }

        /// The description as the only child.
        public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    }
}

extension AWSSignature: CustomStringConvertible, CustomReflectable {
    /// Service and region, without secrets.
    public var description: String { "AWSSignature(\(service), \(region))" }

    /// The description as the only child.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension SignatureV4.Message {
    /// The parts of a request as they are sent.
    init(_ request: NetworkRequest, payloadHash: String) {
        let target = request.target
        // The origin without its scheme: the port is in it unless it is the default.
        let host = target.origin.dropFirst(target.scheme.rawValue.count + 3)
        self.init(
            method: request.method.rawValue,
            host: request.headers[.host] ?? String(host),
            path: target.path,
            query: target.query,
            fields: request.headers.map { ($0.name.rawName, $0.value) },
            payloadHash: payloadHash
        )
    }
}
