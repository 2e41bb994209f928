// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import Swifty
import SwiftySupport
import Synchronization

public import struct Foundation.Data

/// Shows the loads of a process while they happen: in a page of a browser, as a HAR file, or as values for tests.
///
///     let inspector = Inspector()
///     let swifty = Swifty { $0.use(inspector) }
///     print(try inspector.serve())                        // http://127.0.0.1:39481/#…
///
/// One inspector can be a hook of many instances, and of single requests. It keeps the latest loads, in bounded memory,
/// and without secrets: they are replaced when a load has ended, by the names and forms of Docs/Secrets.md, before
/// anything is kept. It changes nothing about the loads, which do not wait for it. All members may be used from any
/// thread.
public final class Inspector: Swifty.HookGroup {
    private struct State {
        var kept: KeptLoads
        var isPaused = false
        var dropped = 0
        /// Records whose secrets are still to be replaced.
        var pending = 0
        var pendingBytes = 0
    }

    /// The limits of what an inspector keeps.
    public struct Limits: Sendable, Hashable {
        /// The number of loads.
        public var loads = 1_000
        /// The size of one content, in bytes; of a larger one, only its size is kept.
        public var contentBytes = 64 << 10
        /// The size of all loads together, in bytes.
        public var bytes = 32 << 20

        /// Makes the default limits.
        public init() {}
    }

    /// The records that may wait for their secrets to be replaced; beyond that, loads are counted as ``droppedCount``.
    private static let maximumPending = 1_000

    private let limits: Limits
    /// The loads in flight that are recorded.
    let running = RunningLoads()
    private let state: Mutex<State>
    private let server = Mutex<InspectorServer?>(nil)
    private let queue = DispatchQueue(label: "swifty.inspector", qos: .utility)

    /// Makes an inspector that has seen nothing.
    public init(limits: Limits = Limits()) {
        self.limits = limits
        state = Mutex(State(kept: KeptLoads(limits)))
    }

    /// The hooks of one more instance or request.
    public var hooks: [any Swifty.Hook] { [LoadTap(inspector: self)] }

    /// The loads, the latest first. One whose end is not yet recorded has no ``InspectedLoad/outcome``.
    public var loads: [InspectedLoad] { state.withLock { $0.kept.latest.reversed() } }

    /// The number of loads that were not recorded because too many ended at once.
    public var droppedCount: Int { state.withLock { $0.dropped } }

    /// Whether loads that begin now are left out.
    public var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set { state.withLock { $0.isPaused = newValue } }
    }

    /// Forgets all loads.
    public func clear() {
        state.withLock { $0.kept.removeAll() }
    }

    /// The loads that have ended, as a HAR 1.2 file, the earliest first.
    public func har() -> Data { HARDocument(loads.reversed().filter { $0.outcome != nil }).encoded }

    /// Returns when all loads that have ended so far are recorded.
    public func flush() async {
        await queue.value {}
    }

    /// Serves the page on 127.0.0.1, until ``stop()`` or the release of the inspector.
    ///
    /// The page shows nothing without the token in its URL, which only this call knows. If the page is served already,
    /// its URL is returned.
    ///
    /// - Parameter port: The port, 0 for a free one.
    /// - Returns: The URL of the page, with a token that is new for each server.
    /// - Throws: The failed system call if the port cannot be opened.
    @discardableResult
    public func serve(port: UInt16 = 0) throws -> String {
        // Under the lock: of two simultaneous calls, the second one could not open the port.
        try server.withLock { server in
            if let server { return server.url }
            let new = try InspectorServer(port: port, of: self)
            server = new
            return new.url
        }
    }

    /// Ends the page. When this returns, its port is free.
    public func stop() async {
        let ended = server.withLock { $0.take() }
        await ended?.stop()
    }
}

// MARK: What taps report

extension Inspector {
    /// Adds a load that begins, and returns its number; `nil` if it is not recorded.
    func begin(_ load: InspectedLoad) -> Int? {
        state.withLock { state in
            state.isPaused ? nil : state.kept.append(load)
        }
    }

    /// Changes a load, if it is still kept.
    func update(_ number: Int, _ change: (inout InspectedLoad) -> Void) {
        state.withLock { $0.kept.update(number, change) }
    }

    /// What has changed since a revision, for the page.
    func changes(since revision: Int) -> InspectorChanges {
        state.withLock { state in
            InspectorChanges(
                revision: state.kept.revision,
                first: state.kept.latest.first?.number ?? state.kept.lastNumber + 1,
                dropped: state.dropped,
                isPaused: state.isPaused,
                loads: state.kept.latest.filter { $0.revision > revision }.map(InspectorChanges.Load.init)
            )
        }
    }

    /// A load by its number; `nil` if it is not kept.
    func load(_ number: Int) -> InspectedLoad? { state.withLock { $0.kept[number] } }

    /// Records the end of a load later, when its secrets are replaced.
    func end(_ number: Int, _ record: LoadRecord) {
        let size = record.size
        let isAccepted = state.withLock { state in
            let hasRoom = state.pending == 0 || state.pendingBytes + size <= limits.bytes
            guard state.pending < Self.maximumPending, hasRoom else {
                state.dropped += 1
                return false
            }
            state.pending += 1
            state.pendingBytes += size
            return true
        }
        guard isAccepted else { return }
        queue.run { [self] in
            let outcome = record.outcome(maximumContent: limits.contentBytes)
            update(number) { load in
                load.outcome = outcome
                load.events = record.events
            }
            state.withLock { state in
                state.pending -= 1
                state.pendingBytes -= size
            }
        }
    }
}
