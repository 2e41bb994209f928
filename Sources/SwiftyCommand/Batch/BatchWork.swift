// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Synchronization

/// Takes lines, loads them and prints what came of it, until there are no more.
final class BatchWork: Sendable {
    private struct State {
        var hasFailed = false
        var isStopped = false
        var usageError: UsageError?
    }

    private let lines: LineReader
    private let options: RequestOptions
    private let pool: InterfacePool
    private let state = Mutex(State())
    private let output = Mutex(())

    init(_ lines: LineReader, _ options: RequestOptions, _ session: Session) {
        self.lines = lines
        self.options = options
        pool = InterfacePool(options, session)
    }

    /// Whether a line could not be read, or its load failed.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// A mistake in the options.
    var usageError: UsageError? { state.withLock { $0.usageError } }

    /// Takes no more lines and ends the loads in flight.
    func stop() {
        state.withLock { $0.isStopped = true }
        pool.cancelAll()
    }

    /// One worker.
    func run() async {
        while !state.withLock({ $0.isStopped }), let (number, text) = await lines.next() {
            do throws(UsageError) {
                try await load(try BatchLine(text).plan, number)
            } catch {
                print(.members(["line": .integer(number), "error": Self.description(error)]), failed: true)
            }
        }
    }

    private func load(_ plan: RequestPlan, _ number: Int) async throws(UsageError) {
        let resource: NetworkResource
        let interface: Swifty
        do throws(UsageError) {
            interface = try pool.interface(for: plan)
            resource = try options.makeResource(plan, interface)
        } catch {
            return state.withLock { $0 = State(hasFailed: true, isStopped: true, usageError: error) }
        }
        let outcome = await interface.load(resource.draft, cancellation: LoadCancellation())
        saveCertificates(outcome)
        guard case .object(let members) = LoadReport(plan: plan, outcome: outcome).json else { return }
        print(.object([.init(name: "line", value: .integer(number))] + members), failed: outcome.error != nil)
    }

    private func saveCertificates(_ outcome: NetworkResponse) {
        do {
            try options.identity.certificateFolder?.write(outcome)
        } catch {
            Console.note("\(error)")
            state.withLock { $0.hasFailed = true }
        }
    }

    private func print(_ value: JSONValue, failed: Bool) {
        if failed { state.withLock { $0.hasFailed = true } }
        // Whole lines, one after the other.
        output.withLock { _ in Console.write(value.text + "\n") }
    }

    private static func description(_ error: UsageError) -> JSONValue {
        .members([
            "code": .string("invalidLine"), "stage": .string("building"), "sent": .string("notSent"),
            "message": .string(error.message),
        ])
    }
}
