// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Synchronization

/// Loads the request of each line and prints its outcome, until there are no more lines.
final class BatchRun: Sendable {
    private struct State {
        var hasFailed = false
        var isStopped = false
        /// The error that ends the batch: in the options, or in writing the output.
        var end: (any Error)?
        var statuses = StatusCounts()
    }

    private let lines: LineReader
    private let options: RequestOptions
    private let pool: InterfacePool
    private let state = Mutex(State())
    private let output = Mutex(())

    init(_ lines: LineReader, options: RequestOptions, session: Session) {
        self.lines = lines
        self.options = options
        pool = InterfacePool(options, session)
    }

    /// Whether a line could not be read, or its load failed.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// The error that ended the batch before all lines were read.
    var end: (any Error)? { state.withLock { $0.end } }

    var statuses: StatusCounts { state.withLock { $0.statuses } }

    /// Stops reading lines, and cancels the loads in flight.
    func stop() {
        state.withLock { $0.isStopped = true }
        pool.cancelAll()
    }

    /// Runs one worker, which loads line after line.
    func run() async {
        while !state.withLock({ $0.isStopped }), let (number, text) = await lines.next() {
            do throws(UsageError) {
                guard let text else { throw UsageError("The line is not UTF-8.") }
                var plan = try BatchLine(text).plan
                plan.allowsContent = options.content.allowContent
                await load(plan, number)
            } catch {
                print(.members(["line": .integer(number), "error": Self.description(error)]), failed: true)
            }
        }
    }

    private func load(_ plan: RequestPlan, _ number: Int) async {
        let outcome: NetworkResponse
        do throws(UsageError) {
            let interface = try pool.interface(for: plan)
            let resource = try options.makeResource(plan, interface)
            let login = try options.identity.digestLogin(of: plan)
            outcome = await URLLogin.$current.withValue(login) {
                await interface.load(resource.draft, cancellation: LoadCancellation())
            }
        } catch {
            return end(with: error)
        }
        saveCertificates(outcome)
        if outcome.error == nil, let status = outcome.statusCode {
            state.withLock { $0.statuses.add(status) }
        }
        guard case .object(let members) = LoadReport(plan: plan, outcome: outcome).json else { return }
        print(.object([.init(name: "line", value: .integer(number))] + members), failed: outcome.error != nil)
    }

    private func saveCertificates(_ outcome: NetworkResponse) {
        do {
            try options.identity.certificateFolder?.write(outcome, options.notes)
        } catch {
            end(with: error)
        }
    }

    private func print(_ value: JSONOutput, failed: Bool) {
        if failed { state.withLock { $0.hasFailed = true } }
        do throws(OutputError) {
            // The lock keeps lines whole.
            try output.withLock { _ throws(OutputError) in try Console.write(value.text + "\n") }
        } catch {
            end(with: error)
        }
    }

    /// Ends the batch with an error; the first one is kept.
    private func end(with error: any Error) {
        state.withLock { state in
            state.end = state.end ?? error
            state.hasFailed = true
        }
        stop()
    }

    private static func description(_ error: UsageError) -> JSONOutput {
        .members([
            "code": .string("invalidLine"), "stage": .string("building"), "sent": .string("notSent"),
            "message": .string(error.message),
        ])
    }
}

/// The network interfaces of a batch: one, or one for each host if TLS settings depend on hosts.
final class InterfacePool: Sendable {
    private let options: RequestOptions
    private let session: Session
    private let interfaces = Mutex<[String: Swifty]>([:])

    init(_ options: RequestOptions, _ session: Session) {
        self.options = options
        self.session = session
    }

    func interface(for plan: RequestPlan) throws(UsageError) -> Swifty {
        session.admit(plan)
        let host = options.tls.dependsOnHost ? plan.target?.host : nil
        if let known = interfaces.withLock({ $0[host ?? ""] }) { return known }
        let made = Swifty(
            configuration: try options.configuration(session: session),
            transport: options.transportSettings(host: host)
        )
        return interfaces.withLock { interfaces in
            if let known = interfaces[host ?? ""] { return known }
            interfaces[host ?? ""] = made
            return made
        }
    }

    func cancelAll() {
        for interface in interfaces.withLock({ Array($0.values) }) { interface.cancelAllLoads(reason: "interrupted") }
    }
}
