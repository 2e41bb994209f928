// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

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
