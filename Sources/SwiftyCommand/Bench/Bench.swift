// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty

/// `swifty bench`: measures many simultaneous loads.
struct Bench: AsyncParsableCommand, LoadingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure a server, and the library, with many simultaneous loads.",
        usage: "swifty bench [METHOD] URL [ITEM ...] [-n <N>] [-c <C>] [<options>]",
        discussion: """
            Every load passes all stages: retries, decoding, limits. All options of "send" apply. "{n}" in the URL, an \
            item or the content is the number of the load, from 0.

            Latency counts from the start of a load; with --rate, from the moment when it was due, so that waiting \
            behind a slow response counts too.

            The status is 0 if any load got a response, and with --check-status if all got one with 2xx; otherwise \
            that of the most frequent error, or 3, 4, 5.

            EXAMPLES:
              swifty bench :3000/ -n 10000 -c 64
              swifty bench :3000/ --duration 30 -c 16 --rate 500
              swifty bench POST :3000/users id:={n} name=Ada -n 1000
              swifty bench :3000/file --expect-sha256 9f86d081…0f00a08 --output json
            """
    )

    @Argument(help: ArgumentHelp("[METHOD] URL [ITEM…], as for \"send\".", valueName: "request"))
    var arguments: [String] = []

    @OptionGroup var method: MethodOption
    @OptionGroup(title: "Measurement") var options: BenchOptions
    @OptionGroup(title: "Content") var content: ContentOptions
    @OptionGroup(title: "Credentials, cookies and redirects") var identity: IdentityOptions
    @OptionGroup(title: "Time limits, retries and rates") var limits: LimitOptions
    @OptionGroup(title: "TLS") var tls: TLSOptions
    @OptionGroup(title: "Route") var route: RouteOptions
    @OptionGroup(title: "Response") var response: ResponseOptions
    @OptionGroup var notes: NoteOptions
    @OptionGroup var configuration: ConfigOption

    func run() async throws {
        let interruption = Interruption.shared
        let plan = try request.plan(for: RequestLine(arguments, method: method.method), isNumbered: true)
        if request.identity.dumpCerts != nil {
            throw UsageError("\"bench\" has no --dump-certs.", hint: "Use \"send\".")
        }
        let session = try Session(request.identity, for: plan)
        let interface = Swifty(
            configuration: try request.configuration(session: session, isPaced: false),
            transport: request.transportSettings(host: plan.target?.host)
        )
        let run = BenchRun(
            options.plan(rate: request.limits.rate),
            interface,
            makeDraft: try makeDraft(plan, interface)
        )
        interruption.onInterrupt {
            run.stop()
            interface.cancelAllLoads(reason: "interrupted")
        }
        let progress = BenchProgress.show(run, isVisible: request.notes.showsProgress)
        await run.run()
        let elapsed = run.elapsed / .seconds(1)
        await progress?.finish()
        let verdict = BenchVerdict(total: run.results.total, checks: options.checks)
        try OutputError.runAll([
            { try report(run, seconds: elapsed, wasInterrupted: interruption.wasInterrupted) },
            { verdict.explain(request.notes) },
            { request.content.warnIfUnread(plan.input, request.notes) },
            { try session.end() },
        ])
        if interruption.wasInterrupted { throw ExitCode(ExitStatus.interrupted.rawValue) }
        if verdict.status != .success { throw ExitCode(verdict.status.rawValue) }
    }

    /// Without `{n}`, all loads share one draft, and a load measures only the library.
    private func makeDraft(_ plan: RequestPlan, _ interface: Swifty) throws -> BenchRun.MakeDraft {
        let draft = try request.makeResource(plan.numbered("0"), interface).draft
        if let error = draft.creationError { throw error }
        if !plan.hasPlaceholder { return { _ in draft } }
        let request = self.request
        return { number in
            // Making it succeeds, as checked above.
            (try? request.makeResource(plan.numbered("\(number)"), interface).draft) ?? draft
        }
    }

    private func report(_ run: BenchRun, seconds: Double, wasInterrupted: Bool) throws(OutputError) {
        let report = BenchReport(
            results: run.results,
            duration: (seconds * 1e6).rounded() / 1e6,
            checksContent: options.expectSha256 != nil,
            wasInterrupted: wasInterrupted
        )
        try Console.write(options.output == .json ? report.json.text + "\n" : report.table)
    }
}
