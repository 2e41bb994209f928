// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

public import Configuration
public import Swifty
import Synchronization

/// A network interface whose settings follow a configuration that changes.
///
///     let swifty = try ReloadingSwifty(reading: config, report: { print("settings:", $0) }) { $0.use(SignIn()) }
///     async let reloads: Void = swifty.run()             // until it is shut down
///
/// A `Swifty` never changes. So each change of its settings makes another one: new loads use it, and those in flight
/// finish with the earlier one, within its `gracePeriod`. Settings that cannot be used change nothing, and are
/// reported. Instances whose transport has the same settings use one transport, and keep its connections.
///
/// What one instance learns is not known to the next one: the states of circuit breakers, retry budgets, learned rate
/// limits and the measured quality of the network start again, and limits of loads in flight count each instance by
/// itself. Hooks and stores, such as `cookies`, are the same in all of them. All methods may be called from any thread.
public final class ReloadingSwifty: NetworkInterface {
    /// What became of a reading.
    public enum Reload: Sendable {
        /// New loads use the new settings.
        case applied
        /// The settings are what they were: something else in the configuration has changed. Or nothing was read,
        /// inside another reading; see ``reload()``.
        case unchanged
        /// The settings cannot be used, and the earlier ones stay.
        case refused(Swifty.SettingsError)
        /// Nothing was read after the shutdown.
        case shutDown
    }

    struct State {
        var current: Generation
        /// The earlier instances that have loads in flight, with their ends.
        var retiring: [ObjectIdentifier: (generation: Generation, end: Task<Void, Never>)] = [:]
        var isShutDown = false
    }

    private let reader: ConfigReader
    private let source: SettingsSource
    private let report: @Sendable (Reload) -> Void
    let state: Mutex<State>
    /// One reading after the other, each of the latest values.
    private let turns = ReadingTurns()
    private let shutdowns = EndSignal()

    /// Reads the settings for the first time.
    ///
    /// - Parameters:
    ///   - reader: The reader, without a scope of the settings.
    ///   - scope: The beginning of the keys.
    ///   - unknownKeys: What follows from keys that name no setting, at each reading.
    ///   - transport: The settings of the transport before others are read.
    ///   - report: Receives what became of each later reading, unless the settings are unchanged.
    ///   - configure: Changes the configuration before settings are read: hooks, and what is in code only. Called once,
    ///     before this returns: all instances have the same hooks and stores.
    /// - Throws: ``Swifty/SettingsError`` with all that is wrong; the error that the closure throws.
    public convenience init(
        reading reader: ConfigReader,
        at scope: ConfigKey = "swifty",
        unknownKeys: Swifty.UnknownKeys = .ignored,
        transport: TransportSettings = TransportSettings(),
        report: @escaping @Sendable (Reload) -> Void = { _ in },
        configure: (inout Swifty.Configuration) throws -> Void = { _ in }
    ) throws {
        var settings = ServiceSettings(transport: transport)
        try configure(&settings.configuration)
        let source = SettingsSource(reader, at: scope, unknownKeys: unknownKeys, into: settings)
        try self.init(reader, source: source, report: report)
    }

    /// Reads the settings for the first time, for instances over another transport.
    ///
    /// - Parameters:
    ///   - reader: The reader, without a scope of the settings.
    ///   - scope: The beginning of the keys.
    ///   - unknownKeys: What follows from keys that name no setting, at each reading.
    ///   - transport: The transport of all instances, which is shut down together with the last one.
    ///   - report: Receives what became of each later reading, unless the settings are unchanged.
    ///   - configure: Changes the configuration before settings are read: hooks, and what is in code only. Called once,
    ///     before this returns: all instances have the same hooks and stores.
    /// - Throws: ``Swifty/SettingsError`` with all that is wrong; the error that the closure throws.
    public convenience init(
        reading reader: ConfigReader,
        at scope: ConfigKey = "swifty",
        unknownKeys: Swifty.UnknownKeys = .ignored,
        transport: any Transport,
        report: @escaping @Sendable (Reload) -> Void = { _ in },
        configure: (inout Swifty.Configuration) throws -> Void = { _ in }
    ) throws {
        var configuration = Swifty.Configuration()
        try configure(&configuration)
        let source = SettingsSource(
            reader,
            at: scope,
            unknownKeys: unknownKeys,
            into: configuration,
            over: transport
        )
        try self.init(reader, source: source, report: report)
    }

    private init(
        _ reader: ConfigReader,
        source: SettingsSource,
        report: @escaping @Sendable (Reload) -> Void
    ) throws(Swifty.SettingsError) {
        (self.reader, self.source, self.report) = (reader, source, report)
        let outcome = source.read()
        outcome.report()
        state = Mutex(State(current: Generation(try outcome.settings.get(), after: nil)))
    }

    /// The instance that new loads use, for its statistics. The next change replaces it.
    public var current: Swifty { state.withLock { $0.current.swifty } }

    /// Follows the changes of the configuration, until ``shutdown(graceful:)`` or until its task is cancelled. Both end
    /// it without an error. It may be called again after it has ended, and several times at once; after the shutdown it
    /// returns at once.
    ///
    /// - Throws: The error of a provider that cannot be watched.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                try await reader.watchSnapshot { snapshots in for await _ in snapshots { reload() } }
                // Providers that never change need not keep a program from running.
                await shutdowns.wait()
            }
            group.addTask { [self] in await shutdowns.wait() }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Reads the settings now, which ``run()`` does at each change. Blocks while another thread reads.
    ///
    /// Reports are made after the reading, and their closures may call this; one that always does so is called without
    /// an end. A call inside a reading, by the closure of a ``Swifty/KeyListing`` or by a provider, reads nothing and
    /// returns ``Reload/unchanged``.
    @discardableResult
    public func reload() -> Reload {
        guard let (outcome, reportKeys) = turns.take({ readAgain() }) else { return .unchanged }
        reportKeys()
        if case .unchanged = outcome {} else { report(outcome) }
        return outcome
    }

    /// Reads, and returns what became of it, and what reports unknown keys.
    private func readAgain() -> (Reload, @Sendable () -> Void) {
        let (current, isShutDown) = state.withLock { ($0.current, $0.isShutDown) }
        if isShutDown { return (.shutDown, {}) }
        let outcome = source.read()
        return (use(outcome.settings, after: current), outcome.report)
    }

    private func use(_ settings: Result<MadeSettings, Swifty.SettingsError>, after current: Generation) -> Reload {
        switch settings {
        case .success(let settings) where settings.values == current.settings.values: .unchanged
        case .success(let settings): replace(current, with: Generation(settings, after: current))
        case .failure(let error): .refused(error)
        }
    }

    private func replace(_ earlier: Generation, with next: Generation) -> Reload {
        let outcome: Reload = state.withLock { state in
            if state.isShutDown { return .shutDown }
            state.current = next
            state.retiring[ObjectIdentifier(earlier)] = (earlier, Task { await end(earlier) })
            return .applied
        }
        switch outcome {
        case .applied: earlier.retire()
        default: Task { await next.end(within: .zero) }
        }
        return outcome
    }

    private func end(_ generation: Generation) async {
        await generation.end(within: generation.swifty.gracePeriod)
        state.withLock { $0.retiring[ObjectIdentifier(generation)] = nil }
    }

    /// Refuses later loads, gives loads in flight some time, and then ends them with ``SwiftyError/Code/shutdown``, as
    /// that of a `Swifty` does. For loads of earlier instances, the end of their grace period counts if it is earlier.
    /// Loads that hooks and constraints make are not refused while loads of any instance are in flight.
    ///
    /// Returns when all loads have ended, of earlier instances as well. Nothing is read any more.
    ///
    /// - Parameter graceful: The time that loads in flight may take to finish; none by default.
    public func shutdown(graceful: Duration = .zero) async {
        let (current, retiring) = state.withLock { state in
            state.isShutDown = true
            return (state.current, Array(state.retiring.values))
        }
        shutdowns.end()
        // What hooks of earlier instances load through this interface, the current one loads.
        await current.shutdown(graceful: graceful) {
            await withTaskGroup(of: Void.self) { group in
                for (generation, end) in retiring {
                    group.addTask {
                        await generation.swifty.shutdown(graceful: graceful)
                        await end.value
                    }
                }
            }
        }
    }
}
#endif
