// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The quality of the network, overall and per origin, for a bounded number of origins.
struct QualityBook {
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

    func quality(of origin: String, now: Duration) -> AdmissionPolicy.NetworkQuality {
        override ?? hosts[origin]?.quality(now: now) ?? .unknown
    }

    private mutating func forgetOldest() {
        guard let oldest = hosts.min(by: { $0.value.updatedAt < $1.value.updatedAt })?.key else { return }
        hosts[oldest] = nil
    }
}
