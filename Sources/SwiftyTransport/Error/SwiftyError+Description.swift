// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension SwiftyError: CustomStringConvertible {
    /// One line that says what failed, where and why, and what can be done, without secrets and without control characters.
    public var description: String {
        hint.map { "\(descriptionWithoutHint) (\($0))" } ?? descriptionWithoutHint
    }

    /// One line that says what failed, where and why.
    package var descriptionWithoutHint: String {
        let subject = request.map { "\($0) failed" } ?? "The request failed"
        let parts = ["\(subject) (\(code.rawValue), \(stage.rawValue))", explanation].filter { !$0.isEmpty }
        return Redaction.line(parts.joined(separator: ": "))
    }

    private var explanation: String {
        let reason = Redaction.line(reason)
        return reason.isEmpty ? underlying.map { Redaction.line(String(describing: $0)) } ?? "" : reason
    }
}

extension SwiftyError {
    /// What can be done about the failure, by the names of the settings that help; `nil` if nothing is known.
    ///
    /// It is part of the `description`, and the `NSError`'s recovery suggestion.
    public var hint: String? { hint(naming: \.rawValue) }

    /// The hint in the words of a program that has names of its own for the settings.
    package func hint(naming name: (Setting) -> String) -> String? {
        guard code == .certificateInvalid else { return nil }
        let unverified = "\(name(.unverifiedHosts)) skips the check (not safe)"
        return isForLackOfTrust ? "\(name(.trust)) trusts another authority; \(unverified)" : unverified
    }

    /// Whether another authority would help: the certificate may be good, but its issuer is not known. In OpenSSL's words,
    /// those of version 1.1 among them.
    private var isForLackOfTrust: Bool {
        ["self-signed certificate", "self signed certificate", "issuer certificate", "verify the first certificate"]
            .contains { reason.contains($0) }
    }
}

/// A setting that a failure has to do with, by the name that a program knows it by.
package enum Setting: String, CaseIterable, Sendable {
    case totalTimeout = "Timeouts.total"
    case attemptTimeout = "Timeouts.attempt"
    case connectTimeout = "Timeouts.connect"
    case firstByteTimeout = "Timeouts.firstByte"
    case idleTimeout = "Timeouts.idle"
    case queueTimeout = "AdmissionPolicy.queueTimeout"
    case constraintTimeout = "Constraint.timeout"
    case redirectCount = "RedirectPolicy.maximumCount"
    case bodyLimit = "TransportSettings.responses.bodyLimit"
    case headLimit = "TransportSettings.responses.headLimit"
    case fieldCountLimit = "TransportSettings.responses.fieldCountLimit"
    case trailerLimit = "TransportSettings.responses.trailerLimit"
    case informationalLimit = "TransportSettings.responses.informationalLimit"
    case decodedBytes = "ContentDecoding.maximumBytes"
    case decodedRatio = "ContentDecoding.maximumRatio"
    case trust = "TransportSettings.tls.trust"
    case unverifiedHosts = "TransportSettings.tls.unverifiedHosts"

    /// What is said of a limit that was reached, after its amount.
    package var limit: String { "the limit that \(rawValue) sets" }
}
