// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The size and rate of a measurement.
struct BenchOptions: ParsableArguments {
    @Option(
        name: .customShort("n"),
        help: ArgumentHelp("The number of loads (200, or no limit with --duration).", valueName: "N")
    )
    var loads: Int?

    @Option(name: .customShort("c"), help: ArgumentHelp("The number of loads in flight.", valueName: "C"))
    var concurrency = 16

    @Option(help: ArgumentHelp("The time for which loads are started.", valueName: "SECONDS"))
    var duration: Seconds?

    @Option(
        help: ArgumentHelp("Cancel this share of the loads at a random moment: 0.5 for half.", valueName: "FRACTION")
    )
    var cancel = 0.0

    @Option(help: ArgumentHelp("Count contents with another SHA-256 digest.", valueName: "HEX"))
    var expectSha256: String?

    @OptionGroup var checks: StatusOptions

    @Option(help: ArgumentHelp("The format of the results.", valueName: "text|json"))
    var output: OutputFormat = .text

    func validate() throws {
        if let loads, loads < 1 { throw ValidationError("-n takes a number above zero.") }
        if !(1...10_000).contains(concurrency) { throw ValidationError("-c takes a number from 1 to 10000.") }
        if !(0...1).contains(cancel) { throw ValidationError("--cancel takes a number from 0 to 1.") }
        if let digest = expectSha256, digest.count != 64 || !digest.allSatisfy(\.isHexDigit) {
            throw ValidationError("--expect-sha256 takes 64 hexadecimal digits.")
        }
    }

    func plan(rate: Double?) -> BenchPlan {
        BenchPlan(
            loads: loads ?? (duration == nil ? 200 : nil),
            concurrency: concurrency,
            duration: duration?.duration,
            rate: rate,
            cancelledShare: cancel,
            expectedSHA256: expectSha256?.lowercased()
        )
    }
}

/// The number, rate and duration of the loads of a run.
struct BenchPlan {
    /// The number of loads; `nil` for as many as fit in the duration.
    var loads: Int?
    var concurrency: Int
    var duration: Duration?
    /// Loads a second; `nil` starts each as soon as another one ends.
    var rate: Double?
    var cancelledShare = 0.0
    /// The expected digest of the content, in lower case.
    var expectedSHA256: String?

    /// The time from the start at which a load is due; `nil` for immediately.
    func due(_ number: Int) -> Duration? {
        rate.map { .seconds(Double(number) / $0) }
    }
}
