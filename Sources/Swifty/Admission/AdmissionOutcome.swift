// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What came of a load that was admitted.
enum AdmissionOutcome: Sendable {
    /// A response arrived, whatever its status.
    case answered(TransportResponse)
    /// The transport failed.
    case failed(SwiftyError)
    /// The pipeline changed its mind, and nothing was sent.
    case notSent
}
