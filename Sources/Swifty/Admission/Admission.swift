// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The permission to send one request; given back with ``AdmissionQueue/release(_:_:)``.
struct Admission: Sendable {
    /// Identifies it among those that are counted; 0 if nothing had to be counted.
    var number = 0
    /// The origin that it is for.
    let origin: String
    /// When it was given, since the queue was made; zero if nothing had to be counted.
    var time: Duration = .zero
    /// Of the circuit breaker.
    var era = 0
}
