// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Swifty

extension AdmissionPolicy {
    static let entries: [SettingEntry<Self>] = limits + rateLimitEntries + circuitBreakerEntries + qualityEntries

    private static let rateLimitEntries: [SettingEntry<Self>] =
        RateLimit.entries.below("rateLimit", at: \.rateLimit, startingWith: RateLimit(requests: 1, per: .seconds(1)))
    private static let circuitBreakerEntries: [SettingEntry<Self>] =
        CircuitBreaker.entries.below("circuitBreaker", at: \.circuitBreaker, startingWith: CircuitBreaker())

    private static let limits: [SettingEntry<Self>] =
        [
            SettingEntry(
                "maximumLoads",
                .count(from: 1),
                setsOrRemoves: \.maximumLoads,
                means: "The maximum number of loads in flight."
            ),
            SettingEntry(
                "maximumLoadsPerHost",
                .count(from: 1),
                setsOrRemoves: \.maximumLoadsPerHost,
                means: "The maximum number of loads in flight to one origin."
            ),
            SettingEntry(
                "learnsRateLimits",
                .boolean,
                sets: \.learnsRateLimits,
                means: "Whether to keep the rate limits that servers report."
            ),
            SettingEntry(
                "queueTimeout",
                .positiveDuration,
                setsOrRemoves: \.queueTimeout,
                means: "The longest wait of a load for its admission."
            ),
            SettingEntry(
                "hostBackoff",
                .positiveDuration,
                setsOrRemoves: \.hostBackoff,
                means: "The longest pause of an origin that it can ask for with `Retry-After`."
            ),
        ]
}

extension AdmissionPolicy.RateLimit {
    static let entries: [SettingEntry<Self>] = [
        SettingEntry(
            "requests",
            .count(from: 1, to: 1_000_000),
            sets: "requests",
            means: "The number of requests to one origin in a period."
        ) {
            "\($0.requests)"
        } set: {
            $0 = Self(requests: $1, per: $0.period)
        },
        SettingEntry("period", .period, sets: "period", means: "The period, 1 ms to a day.") {
            DurationText.write($0.period)
        } set: {
            $0 = Self(requests: $0.requests, per: $1, burst: $0.burst)
        },
        SettingEntry(
            "burst",
            .count(from: 1, to: 1_000_000),
            sets: "burst",
            means: "The number of requests that may be sent together after a quiet time; by default `requests`."
        ) {
            "\($0.burst)"
        } set: {
            $0 = Self(requests: $0.requests, per: $0.period, burst: $1)
        },
    ]
}

extension SettingKind<Duration> {
    fileprivate static var period: Self {
        duration.converted { value throws(WrongValue) in
            guard (.milliseconds(1) ... .seconds(86_400)).contains(value) else {
                throw WrongValue(not: "a duration between 1 ms and a day")
            }
            return value
        } from: {
            $0
        }
    }
}

extension AdmissionPolicy.CircuitBreaker {
    static let entries: [SettingEntry<Self>] = [
        SettingEntry(
            "failures",
            .count(from: 1),
            sets: \.failures,
            means: "The number of failures that opens the circuit breaker of an origin."
        ),
        SettingEntry("window", .positiveDuration, sets: \.window, means: "The time for which failures count."),
        SettingEntry(
            "failureRate",
            .number(to: 1),
            sets: \.failureRate,
            means: "The share of outcomes in the window that must also have failed."
        ),
        SettingEntry(
            "openDuration",
            .positiveDuration,
            sets: \.openDuration,
            means: "The time for which nothing is sent."
        ),
        SettingEntry(
            "probes",
            .count(from: 1),
            sets: \.probes,
            means: "The number of loads that must then succeed."
        ),
    ]
}

extension AdmissionPolicy {
    fileprivate static let qualityEntries: [SettingEntry<Self>] =
        [preset] + NetworkQuality.allCases.reversed().flatMap { rules(of: $0) }

    private static let preset = SettingEntry<Self>(
        "qualityRules.preset",
        SettingKind<QualityRules?>.choice(["none": nil, "adaptive": QualityRules.adaptive]),
        sets: "qualityRules",
        means: "The restrictions by the quality of the network, to which the following ones are added."
    ) { policy in
        policy.qualityRules == .adaptive ? "adaptive" : "none"
    } set: { policy, rules in
        policy.qualityRules = rules
    }

    private static func rules(of quality: NetworkQuality) -> [SettingEntry<Self>] {
        QualityRules.Rule.entries(of: "\(quality)")
            .below("qualityRules.\(quality)", property: "qualityRules", at: \.[quality])
    }

    /// The rule of a class; without one, a rule that restricts nothing.
    fileprivate subscript(quality: NetworkQuality) -> QualityRules.Rule {
        get { qualityRules?.rules[quality] ?? QualityRules.Rule() }
        set {
            var rules = qualityRules ?? QualityRules(rules: [:])
            rules.rules[quality] = newValue == QualityRules.Rule() ? nil : newValue
            if qualityRules != nil || !rules.rules.isEmpty { qualityRules = rules }
        }
    }
}

extension AdmissionPolicy.QualityRules.Rule {
    fileprivate static func entries(of quality: String) -> [SettingEntry<Self>] {
        let place =
            quality == "unknown" ? "while the quality of the network is not known" : "on a network of this quality"
        return [
            SettingEntry(
                "maximumLoads",
                .count(from: 1),
                setsOrRemoves: \.maximumLoads,
                means: "The maximum number of loads in flight \(place)."
            ),
            SettingEntry(
                "minimumPriority",
                .priority,
                sets: \.minimumPriority,
                means: "The lowest priority that is not held back \(place)."
            ),
        ]
    }
}
#endif
