// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Date

/// AWS Signature Version 4, with which a request to AWS, or to a server with the same interface, proves that its sender
/// knows a secret key.
///
/// The signature covers the method, the target, the header fields of ``signedFields(of:)`` and a hash of the content.
/// The server computes it again from what it received, so each part must be signed as it is sent:
///
///     let signature = SignatureV4(credentials: credentials, region: "eu-central-1", service: "execute-api")
///     for field in signature.fields(for: message, at: Date()) { headers[field.name] = field.value }
///
/// Nothing is checked: what the server does not accept, it refuses.
///
/// Source: AWS Identity and Access Management User Guide, "Create a signed AWS API request", and for S3 the Amazon S3
/// API Reference, "Authenticating Requests (AWS Signature Version 4)".
struct SignatureV4: Sendable {
    /// The keys of the signer.
    var credentials: Credentials
    /// The region of the service, such as `us-east-1`.
    var region: String
    /// The name by which the service verifies signatures, such as `s3` or `execute-api`.
    var service: String
    /// How the service differs from others.
    var options = Options()

    /// A name with a value: a header field, or a parameter of a query.
    typealias Field = (name: String, value: String)

    static let algorithm = "AWS4-HMAC-SHA256"
    /// In place of the hash of content that is not signed.
    static let unsignedPayload = "UNSIGNED-PAYLOAD"

    /// The hash of content, as it is signed.
    static func payloadHash(of content: [UInt8]) -> String {
        SHA256.hash(content).hexadecimal
    }
}

extension SignatureV4 {
    typealias Credentials = AWSSignature.Credentials

    /// How a service makes the canonical request.
    struct Options: Sendable, Hashable {
        /// Whether dot segments and empty segments are removed from the path.
        var normalizesPath = true
        /// Whether the path is encoded once more than it is sent.
        var encodesPathTwice = true
        /// Whether the request contains the hash of its content, in `x-amz-content-sha256`.
        var signsContentHash = false

        /// S3, whose objects may have any name, such as `a//../b`.
        static let s3 = Options(normalizesPath: false, encodesPathTwice: false, signsContentHash: true)
    }

    /// The parts of a request that are signed, as they are sent.
    struct Message: Sendable {
        var method: String
        /// The value of `Host`, which has the port unless it is the default of the scheme.
        var host: String
        /// The percent-encoded path.
        var path: String
        /// The percent-encoded query without its `?`.
        var query: String?
        /// The header fields in their order. A name may occur more than once.
        var fields: [Field] = []
        /// The SHA-256 digest of the content in lower-case hexadecimal digits, or ``unsignedPayload``.
        var payloadHash: String
    }

    /// A signature, and what it was computed from. On a mismatch, AWS responds with the canonical request and the
    /// string to sign that it expected.
    struct Steps: Sendable, Hashable {
        let canonicalRequest: String
        let stringToSign: String
        let signature: String
        /// The lower-case names of the signed header fields, between semicolons.
        let signedNames: String
    }
}

// MARK: In header fields

extension SignatureV4 {
    /// The header fields to set, which replace those of the same names: `X-Amz-Date`, `X-Amz-Security-Token` for
    /// temporary credentials, `x-amz-content-sha256` if the service wants it, and `Authorization`.
    func fields(for message: Message, at date: Date) -> [Field] {
        let time = Time(date)
        let steps = steps(for: message, at: date)
        let credential = "Credential=\(credentials.accessKeyID)/\(scope(at: time))"
        let names = "SignedHeaders=\(steps.signedNames)"
        let authorization = "\(Self.algorithm) \(credential), \(names), Signature=\(steps.signature)"
        return addedFields(for: message, at: time) + [("Authorization", authorization)]
    }

    /// The steps to the signature in header fields.
    func steps(for message: Message, at date: Date) -> Steps {
        let time = Time(date)
        var message = message
        message.fields = callerFields(of: message) + addedFields(for: message, at: time)
        return steps(for: message, parameters: Self.parameters(of: message.query), at: time)
    }

    /// The fields that are set before signing.
    private func addedFields(for message: Message, at time: Time) -> [Field] {
        var fields = [("X-Amz-Date", time.timestamp)]
        if let token = sessionToken { fields.append(("X-Amz-Security-Token", token)) }
        if options.signsContentHash { fields.append((Self.contentHashName, message.payloadHash)) }
        return fields
    }

    /// The fields of a message without those that signing sets: a request that is sent once more has them already.
    func callerFields(of message: Message) -> [Field] {
        var names: Set = ["x-amz-date", "x-amz-security-token"]
        if options.signsContentHash { names.insert(Self.contentHashName) }
        return message.fields.filter { !names.contains($0.name.lowercased()) }
    }

    /// The token; `nil` if it is empty, as it is from an empty environment variable.
    var sessionToken: String? { credentials.sessionToken.flatMap { $0.isEmpty ? nil : $0 } }

    static let contentHashName = "x-amz-content-sha256"
}
