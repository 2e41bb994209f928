// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The measured quality of the network, overall and of a bounded number of origins.
struct QualityTracker {
    private static let capacity = 256

    var override: AdmissionPolicy.NetworkQuality?
    private var overall = QualityEstimate()
    private var hosts: [String: QualityEstimate] = [:]

    mutating func add(_ sample: QualitySample, origin: String, now: Duration) {
        overall.add(sample, now: now)
        if hosts[origin] == nil, hosts.count >= Self.capacity { forgetOldest() }
        hosts[origin, default: QualityEstimate()].add(sample, now: now)
    }

    func quality(now: Duration) -> AdmissionPolicy.NetworkQuality {
        override ?? overall.quality(now: now)
    }

    /// The time after which the quality is unknown, unless there is another measurement; `nil` if it was set.
    var expiry: Duration? { override == nil ? overall.expiry : nil }

    func quality(of origin: String, now: Duration) -> AdmissionPolicy.NetworkQuality {
        override ?? hosts[origin]?.quality(now: now) ?? .unknown
    }

    private mutating func forgetOldest() {
        guard let oldest = hosts.min(by: { $0.value.updatedAt < $1.value.updatedAt })?.key else { return }
        hosts[oldest] = nil
    }
}

/// The weighted averages of round-trip time and throughput.
struct QualityEstimate {
    private static let weight = 0.2
    private static let lifetime = Duration.seconds(120)

    private var roundTrip: Double?
    private var throughput: Double?
    private(set) var updatedAt: Duration = .zero

    mutating func add(_ sample: QualitySample, now: Duration) {
        if isStale(now) { self = QualityEstimate() }
        roundTrip = Self.average(roundTrip, sample.roundTrip)
        throughput = Self.average(throughput, sample.throughput)
        updatedAt = now
    }

    func quality(now: Duration) -> AdmissionPolicy.NetworkQuality {
        guard !isStale(now) else { return .unknown }
        let classes = [
            roundTrip.map(AdmissionPolicy.NetworkQuality.init(roundTrip:)),
            throughput.map(AdmissionPolicy.NetworkQuality.init(throughput:)),
        ]
        return classes.compactMap(\.self).min { $0.rawValue < $1.rawValue } ?? .unknown
    }

    var expiry: Duration { updatedAt + Self.lifetime }

    private func isStale(_ now: Duration) -> Bool {
        now > expiry
    }

    private static func average(_ old: Double?, _ new: Double?) -> Double? {
        guard let old, let new else { return new ?? old }
        return old + (new - old) * weight
    }
}

/// The measurements of one transfer.
struct QualitySample {
    /// In seconds; `nil` on a reused connection.
    let roundTrip: Double?
    /// In bytes per second; `nil` for a small response.
    let throughput: Double?

    /// Smaller responses arrive in one piece, in a time too short to measure.
    private static let smallestContent = 32 * 1024

    /// Reads a transfer; `nil` if it measures nothing: a reused connection and a small response.
    init?(_ metrics: TransferMetrics) {
        let isConnected = !metrics.isConnectionReused && metrics.connect > .zero
        let isLarge = metrics.responseContentBytes >= Self.smallestContent && metrics.receive > .zero
        guard isConnected || isLarge else { return nil }
        roundTrip = isConnected ? metrics.connect / .seconds(1) : nil
        throughput = isLarge ? Double(metrics.responseContentBytes) / (metrics.receive / .seconds(1)) : nil
    }
}
