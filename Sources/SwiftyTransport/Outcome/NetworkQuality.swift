// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The quality of the network, as measured from transfers.
///
/// | class | round trip at most | throughput at least |
/// |---|---|---|
/// | ``excellent`` | 100 ms | 2 Mbit/s |
/// | ``good`` | 250 ms | 550 kbit/s |
/// | ``fair`` | 600 ms | 150 kbit/s |
/// | ``poor`` | more | less |
///
/// The round trip is the time of a TCP connect, the throughput that of responses of 32 KiB and more. Both are weighted
/// averages in which the latest transfer counts for a fifth; the worse of the two decides. A server that produces its
/// response slowly looks like a slow network. Two minutes after the last measurement the quality is ``unknown``.
///
/// Source of the throughput classes: Facebook's network-connection-class.
public enum NetworkQuality: Int, Sendable, Hashable, CaseIterable {
    /// No recent measurement.
    case unknown
    /// As on 2G.
    case poor
    /// As on weak 3G.
    case fair
    /// As on 3G and 4G.
    case good
    /// As on Wi-Fi, good 4G, or a cable.
    case excellent
}
