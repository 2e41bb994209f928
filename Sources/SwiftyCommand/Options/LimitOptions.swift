// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty

/// Time limits, retries and rates.
struct LimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The time limit of the whole load.", valueName: "SECONDS"))
    var timeout: Seconds?

    @Option(help: ArgumentHelp("The time limit of each attempt; see --retry.", valueName: "SECONDS"))
    var attemptTimeout: Seconds?

    @Option(help: ArgumentHelp("The time limit of connecting (10 unless given).", valueName: "SECONDS"))
    var connectTimeout: Seconds?

    @Option(help: ArgumentHelp("The longest silence on the connection (60 unless given).", valueName: "SECONDS"))
    var idleTimeout: Seconds?

    @Option(help: ArgumentHelp("The number of times a failed attempt is repeated, where that is safe.", valueName: "N"))
    var retry: Int?

    @Flag(help: "With --retry: repeat after every 4xx and 5xx, not only after 408, 421, 425, 429, 500, 502, 503, 504.")
    var retryAll = false

    @Option(
        help: ArgumentHelp(
            "Send this Idempotency-Key, or a new one if no KEY follows, which makes it safe to repeat a POST or PATCH.",
            valueName: "KEY"
        )
    )
    var idempotencyKey: String?

    @Option(help: ArgumentHelp("The urgency: very-low, low, normal, high, very-high (RFC 9218).", valueName: "LEVEL"))
    var priority: Urgency?

    @Option(help: ArgumentHelp("The maximum number of requests a second.", valueName: "N"))
    var rate: Double?

    @Option(
        help: ArgumentHelp(
            "The maximum number of bytes a second, in each direction: 500, 64K, 2M, 1G.",
            valueName: "RATE"
        )
    )
    var limitRate: ByteCount?

    func validate() throws {
        if let retry, !(0...100).contains(retry) { throw ValidationError("--retry takes a number from 0 to 100.") }
        if retryAll, retry == nil { throw ValidationError("--retry-all needs --retry N.") }
        if let rate, !(rate > 0 && rate <= 1_000_000) { throw ValidationError("--rate takes a number above zero.") }
    }
}

/// A time above zero: a number of seconds, or one with a unit (`500ms`, `30s`, `5m`); decimals are allowed.
struct Seconds: ExpressibleByArgument, Equatable {
    let value: Double

    init?(argument: String) {
        let units = [("ms", 0.001), ("s", 1), ("m", 60)]
        let (unit, factor) = units.first { argument.hasSuffix($0.0) } ?? ("", 1)
        guard let number = Double(argument.dropLast(unit.count)) else { return nil }
        let value = number * factor
        guard value > 0, value <= 31_536_000 else { return nil }
        self.value = value
    }

    var duration: Duration { .seconds(value) }
}

/// The names of the library's priorities.
enum Urgency: String, ExpressibleByArgument, CaseIterable {
    case veryLow = "very-low"
    case low
    case normal
    case high
    case veryHigh = "very-high"

    var priority: NetworkRequest.Priority {
        switch self {
        case .veryLow: .veryLow
        case .low: .low
        case .normal: .normal
        case .high: .high
        case .veryHigh: .veryHigh
        }
    }
}

extension LimitOptions {
    func apply(to configuration: inout Swifty.Configuration) {
        let own = NetworkRequest.Timeouts(
            total: timeout?.duration,
            attempt: attemptTimeout?.duration,
            connect: connectTimeout?.duration,
            idle: idleTimeout?.duration
        )
        configuration.timeouts = own.merging(configuration.timeouts)
        if let retry {
            configuration.retry = RetryPolicy(maximumAttempts: retry + 1)
            if retryAll { configuration.retry.statuses.formUnion(400..<600) }
        }
        if priority != nil { configuration.sendsPriority = true }
    }

    func apply(to resource: NetworkResource) {
        if let priority { resource.priority(priority.priority) }
        if let limitRate { resource.limitRate(download: limitRate.value, upload: limitRate.value) }
        guard let idempotencyKey else { return }
        if idempotencyKey == OptionalValue.none {
            resource.idempotencyKey()
        } else {
            resource.idempotencyKey(idempotencyKey)
        }
    }

    /// The limit of `--rate`, with requests at even intervals.
    var rateLimit: AdmissionPolicy.RateLimit? {
        guard let rate else { return nil }
        if rate < 1 { return AdmissionPolicy.RateLimit(requests: 1, per: .seconds(1 / rate), burst: 1) }
        return AdmissionPolicy.RateLimit(requests: Int(rate), per: .seconds(rate.rounded(.down) / rate), burst: 1)
    }
}
