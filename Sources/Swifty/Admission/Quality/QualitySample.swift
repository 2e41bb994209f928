// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What one transfer says about the network.
struct QualitySample {
    /// Seconds.
    let roundTrip: Double?
    /// Bytes per second.
    let throughput: Double?

    /// Smaller responses arrive in one piece, which takes no time to speak of.
    private static let smallestBody = 32 * 1024

    /// - Returns: `nil` if the transfer says nothing: a reused connection and a small response.
    init?(_ metrics: TransferMetrics) {
        let isConnected = !metrics.isConnectionReused && metrics.connect > .zero
        let isLarge = metrics.responseBodyBytes >= Self.smallestBody && metrics.receive > .zero
        guard isConnected || isLarge else { return nil }
        roundTrip = isConnected ? metrics.connect / .seconds(1) : nil
        throughput = isLarge ? Double(metrics.responseBodyBytes) / (metrics.receive / .seconds(1)) : nil
    }
}
