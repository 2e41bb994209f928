// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Date

// MARK: In the query

extension SignatureV4 {
    /// The query of a presigned URL, which anyone may use until it expires.
    ///
    /// It replaces the query of the message. Whoever uses the URL sends the signed header fields of the message, and no
    /// others of AWS. S3 wants ``unsignedPayload`` for the hash; with another hash, the URL is for that content only.
    ///
    /// - Parameters:
    ///   - message: The request.
    ///   - date: The time of signing.
    ///   - seconds: How long the URL is valid after that, 1...604,800.
    func presignedQuery(for message: Message, at date: Date, expiresAfter seconds: Int) -> String {
        let parameters = presignedParameters(of: message, at: Time(date), seconds: seconds)
        let steps = presignedSteps(for: message, at: date, expiresAfter: seconds)
        return Self.joined(parameters + [("X-Amz-Signature", steps.signature)])
    }

    /// The steps to the signature in the query.
    func presignedSteps(for message: Message, at date: Date, expiresAfter seconds: Int) -> Steps {
        let time = Time(date)
        let parameters = presignedParameters(of: message, at: time, seconds: seconds)
        return steps(for: presigned(message), parameters: parameters, at: time)
    }

    private func presigned(_ message: Message) -> Message {
        var message = message
        message.fields = callerFields(of: message)
        return message
    }

    /// The parameters of the message without those of an earlier signature, and after them all but the signature.
    private func presignedParameters(of message: Message, at time: Time, seconds: Int) -> [Field] {
        var added: [Field] = [
            ("X-Amz-Algorithm", Self.algorithm),
            ("X-Amz-Credential", "\(credentials.accessKeyID)/\(scope(at: time))"),
            ("X-Amz-Date", time.timestamp),
            ("X-Amz-Expires", String(seconds)),
            ("X-Amz-SignedHeaders", signedFields(of: presigned(message)).map(\.name).joined(separator: ";")),
        ]
        if let token = sessionToken { added.append(("X-Amz-Security-Token", token)) }
        if options.signsContentHash, message.payloadHash != Self.unsignedPayload {
            added.append(("X-Amz-Content-Sha256", message.payloadHash))
        }
        let others = Self.parameters(of: message.query).filter { !Self.signingNames.contains($0.name) }
        return others + added.map { ($0.name, Self.encoded($0.value.utf8)) }
    }

    /// The names of the parameters that presigning sets.
    private static let signingNames: Set = [
        "X-Amz-Algorithm", "X-Amz-Content-Sha256", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires",
        "X-Amz-Security-Token", "X-Amz-Signature", "X-Amz-SignedHeaders",
    ]
}
