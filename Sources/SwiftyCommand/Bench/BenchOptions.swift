// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// How much is measured.
struct BenchOptions: ParsableArguments {
    @Option(
        name: .customShort("n"),
        help: ArgumentHelp("How many loads (200, or no limit with --duration).", valueName: "N")
    )
    var loads: Int?

    @Option(name: .customShort("c"), help: ArgumentHelp("How many are in flight at once.", valueName: "C"))
    var concurrency = 16

    @Option(help: ArgumentHelp("For how long loads are started.", valueName: "SECONDS"))
    var duration: Seconds?

    @Option(
        help: ArgumentHelp("Cancel this share of the loads at a random moment: 0.5 for half.", valueName: "FRACTION")
    )
    var cancel = 0.0

    @Option(help: ArgumentHelp("Count contents that have another SHA-256 digest.", valueName: "HEX"))
    var expectSha256: String?

    @OptionGroup var checks: StatusOptions

    @Option(help: ArgumentHelp("How to print the results.", valueName: "text|json"))
    var output: OutputFormat = .text

    func validate() throws {
        if let loads, loads < 1 { throw ValidationError("-n takes a number above zero.") }
        if !(1...10_000).contains(concurrency) { throw ValidationError("-c takes a number from 1 to 10000.") }
        if !(0...1).contains(cancel) { throw ValidationError("--cancel takes a number from 0 to 1.") }
        if let digest = expectSha256, digest.count != 64 || !digest.allSatisfy(\.isHexDigit) {
            throw ValidationError("--expect-sha256 takes 64 hexadecimal digits.")
        }
    }

    /// - Parameter rate: the argument of `--rate`.
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

/// How much is sent, how fast, and when it ends.
struct BenchPlan {
    /// How many loads; `nil` for as many as fit in the duration.
    var loads: Int?
    var concurrency: Int
    var duration: Duration?
    /// Loads a second; `nil` for as fast as they come back.
    var rate: Double?
    /// The share of loads that are cancelled.
    var cancelledShare = 0.0
    /// In lower case.
    var expectedSHA256: String?

    /// When a load is due, counted from the start; `nil` for at once.
    func due(_ number: Int) -> Duration? {
        rate.map { .seconds(Double(number) / $0) }
    }
}
