// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

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

    private func isStale(_ now: Duration) -> Bool {
        now - updatedAt > Self.lifetime
    }

    private static func average(_ old: Double?, _ new: Double?) -> Double? {
        guard let old, let new else { return new ?? old }
        return old + (new - old) * weight
    }
}
