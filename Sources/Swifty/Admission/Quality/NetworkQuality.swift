// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension AdmissionPolicy {
    /// How good the network is, as measured from transfers.
    ///
    /// | class | round trip at most | throughput at least |
    /// |---|---|---|
    /// | ``excellent`` | 100 ms | 2 Mbit/s |
    /// | ``good`` | 250 ms | 550 kbit/s |
    /// | ``fair`` | 600 ms | 150 kbit/s |
    /// | ``poor`` | more | less |
    ///
    /// The round trip is the time of a TCP connect, the throughput that of responses of 32 KiB and more; both are weighted
    /// averages in which the latest transfer counts for a fifth. The worse of the two decides. A server that is slow at
    /// producing its response looks like a slow network. What is older than two minutes counts no more.
    ///
    /// Source of the throughput classes: Facebook's network-connection-class.
    public enum NetworkQuality: Int, Sendable, Hashable, CaseIterable {
        /// Nothing was measured lately.
        case unknown
        /// As on 2G.
        case poor
        /// As on a weak 3G.
        case fair
        /// As on 3G and 4G.
        case good
        /// As on Wi-Fi, a good 4G, or a wire.
        case excellent
    }
}

extension AdmissionPolicy.NetworkQuality {
    /// The class of a round-trip time in seconds.
    init(roundTrip: Double) {
        switch roundTrip {
        case ...0.1: self = .excellent
        case ...0.25: self = .good
        case ...0.6: self = .fair
        default: self = .poor
        }
    }

    /// The class of a throughput in bytes per second.
    init(throughput: Double) {
        switch throughput {
        case 250_000...: self = .excellent
        case 68_750...: self = .good
        case 18_750...: self = .fair
        default: self = .poor
        }
    }
}
