// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension SwiftyError: CustomStringConvertible {
    /// One line with the failure, its stage, its cause and the ``hint``, without secrets and control characters.
    public var description: String {
        hint.map { "\(descriptionWithoutHint) (\($0))" } ?? descriptionWithoutHint
    }

    /// The ``description`` without the ``hint``.
    package var descriptionWithoutHint: String {
        let subject = request.map { "\($0) failed" } ?? "The request failed"
        let parts = ["\(subject) (\(code.rawValue), \(stage.rawValue))", explanation, excerpt].filter { !$0.isEmpty }
        return Redaction.line(parts.joined(separator: ": "))
    }

    /// The beginning of the text with which a server explains a status, without secrets; empty if there is none, or if
    /// the reason has it already.
    private var excerpt: String {
        guard code == .unacceptableStatus, let failure, failure.value == nil, let content,
            let type = head?.headers[.contentType], Self.isReadable(type)
        else { return "" }
        let redactor = Redactor(request?.secrets, values: failure.request?.secretValues ?? [])
        let text = String(decoding: redactor.content(content.prefix(4096), type: type), as: UTF8.self)
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count > 200 ? "\(line.prefix(200))…" : line
    }

    /// Whether people read content of a type: JSON, XML and text, but no pages, whose beginning says nothing.
    private static func isReadable(_ type: String) -> Bool {
        let type = type.prefix { $0 != ";" }.lowercased()
        if type.hasPrefix("text/") { return !type.hasPrefix("text/html") }
        return ["/json", "+json", "/xml"].contains { type.hasSuffix($0) }
    }

    /// The reason, in which a hook or a server may have repeated a secret.
    private var explanation: String {
        let reason = reason.isEmpty ? underlying.map { String(describing: $0) } ?? "" : reason
        return Redaction.line(redactor.text(reason))
    }

    private var redactor: Redactor { Redactor(request?.secrets) }
}

extension SwiftyError {
    /// The settings that may prevent the failure; `nil` if none is known. It is part of the ``description``.
    public var hint: String? { hint(naming: \.rawValue) }

    /// The hint for a program that has its own names for the settings.
    package func hint(naming name: (Setting) -> String) -> String? {
        guard code == .certificateInvalid else { return nil }
        if isForTheName { return "\(name(.unverifiedNames)) skips the check of the name (not safe)" }
        let unverified = "\(name(.unverifiedHosts)) skips the check (not safe)"
        return isForLackOfTrust ? "\(name(.trust)) trusts another authority; \(unverified)" : unverified
    }

    /// Whether the certificate is for another name. Judged by libcurl's messages.
    private var isForTheName: Bool {
        ["matches target", "does not match target", "unable to obtain common name"].contains { reason.contains($0) }
    }

    /// Whether trusting another authority may help, because the issuer of the certificate is unknown. Judged by
    /// OpenSSL's messages, including those of version 1.1.
    private var isForLackOfTrust: Bool {
        ["self-signed certificate", "self signed certificate", "issuer certificate", "verify the first certificate"]
            .contains { reason.contains($0) }
    }
}

/// A setting that an error refers to. The raw value is its name in the library.
package enum Setting: String, CaseIterable, Sendable {
    case totalTimeout = "Timeouts.total"
    case attemptTimeout = "Timeouts.attempt"
    case connectTimeout = "Timeouts.connect"
    case firstByteTimeout = "Timeouts.firstByte"
    case idleTimeout = "Timeouts.idle"
    case connectionsPerHost = "TransportSettings.connections.maximumPerHost"
    case queueTimeout = "AdmissionPolicy.queueTimeout"
    case constraintTimeout = "Constraint.timeout"
    case deadline = "withDeadline"
    case minimumTimeLeft = "Configuration.minimumTimeLeft"
    case redirectCount = "RedirectPolicy.maximumCount"
    case contentLimit = "TransportSettings.responses.contentLimit"
    case headLimit = "TransportSettings.responses.headLimit"
    case fieldCountLimit = "TransportSettings.responses.fieldCountLimit"
    case trailerLimit = "TransportSettings.responses.trailerLimit"
    case informationalLimit = "TransportSettings.responses.informationalLimit"
    case requestContentLimit = "contentLimit(_:)"
    case decodedBytes = "ContentDecoding.maximumBytes"
    case streamedBytes = "ContentDecoding.maximumStreamedBytes"
    case decodedRatio = "ContentDecoding.maximumRatio"
    case trust = "TransportSettings.tls.trust"
    case unverifiedHosts = "TransportSettings.tls.unverifiedHosts"
    case unverifiedNames = "TransportSettings.tls.unverifiedNames"

    /// The end of an error message about this limit, after the amount.
    package var limit: String { "the limit that \(rawValue) sets" }
}

extension SwiftyError: CustomReflectable {
    /// The ``description``, and the other properties that contain no secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "description": description, "sent": sent, "head": head?.description(redactor) as Any,
                "contentBytes": content?.count ?? 0, "attempts": attempts,
            ]
        )
    }
}
