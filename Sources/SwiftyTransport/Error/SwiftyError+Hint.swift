// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

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
