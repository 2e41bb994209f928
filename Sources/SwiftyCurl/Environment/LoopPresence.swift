// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import Foundation
import Synchronization

/// Whether a thread is inside libcurl and its libraries, which the end of the process cleans up.
///
/// `exit` runs the clean-up of OpenSSL, and the destructors of other libraries, while the other threads continue. A
/// thread that uses TLS at that moment accesses freed memory. So at the beginning of `exit` each loop stops at the next
/// point where it is outside: it closes nothing and resumes nothing, and the process ends as if the thread did not
/// exist. OpenSSL's own handler would run first, because it is registered later, and is therefore left out.
final class LoopPresence: Sendable {
    // The thread writes the first and then reads the second, `exit` vice versa: at least one of them sees the other.
    private let isInside = Atomic(false)
    private let mustStop = Atomic(false)
    /// Refuses further work of the loop once the process ends, and returns what was left; `nil` without a loop.
    private let abandonWork: (@Sendable () -> [any Sendable])?

    init(abandonWork: (@Sendable () -> [any Sendable])? = nil) {
        self.abandonWork = abandonWork
    }

    /// Enters the libraries, or stops for ever if the process ends.
    func enter() {
        isInside.store(true, ordering: .sequentiallyConsistent)
        guard mustStop.load(ordering: .sequentiallyConsistent) else { return }
        leave()
        while true { pause() }
    }

    /// Leaves the libraries: the thread waits, runs foreign code, or has ended.
    func leave() {
        isInside.store(false, ordering: .releasing)
    }

    /// Runs foreign code, which may take long, or end the process itself.
    func outside(_ body: () -> Void) {
        leave()
        body()
        enter()
    }
}

// MARK: The end of the process

extension LoopPresence {
    private struct Presences {
        var all: [ObjectIdentifier: LoopPresence] = [:]
        var isExiting = false
        /// The work that is never done. Releasing it would end the continuations of callers.
        var abandoned: [any Sendable] = []
    }

    private static let presences = Mutex(Presences())
    /// The longest time for which the end of the process is delayed, in steps of 100 microseconds: ten seconds. A turn
    /// of a loop takes milliseconds.
    private static let stepLimit = 100_000

    /// Whether the process ends, so that no loop may start.
    static var isProcessEnding: Bool { presences.withLock { $0.isExiting } }

    /// Initializes libcurl, unless the process ends. Called once.
    ///
    /// Loops are stopped on Linux only: elsewhere libcurl itself waits for the sockets.
    static func initializeLibrary() {
        if isProcessEnding { return }
        #if os(Linux)
        atexit { LoopPresence.stopAll() }
        ccurl_keep_tls()
        #endif
        let presence = LoopPresence()
        presence.register()
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        presence.unregister()
    }

    /// Registers a thread that begins. It stops for ever if the process ends.
    func register() {
        let isExiting = Self.presences.withLock { presences in
            presences.all[ObjectIdentifier(self)] = self
            return presences.isExiting
        }
        if isExiting { mustStop.store(true, ordering: .sequentiallyConsistent) }
        enter()
    }

    /// Unregisters a thread that ends, or has done its work.
    func unregister() {
        leave()
        _ = Self.presences.withLock { $0.all.removeValue(forKey: ObjectIdentifier(self)) }
    }

    private static func stopAll() {
        let all = presences.withLock { presences in
            presences.isExiting = true
            return Array(presences.all.values)
        }
        for presence in all { presence.mustStop.store(true, ordering: .sequentiallyConsistent) }
        for presence in all {
            let rest = presence.abandonWork?() ?? []
            presences.withLock { $0.abandoned += rest }
        }
        for _ in 0..<stepLimit where all.contains(where: { $0.isInside.load(ordering: .sequentiallyConsistent) }) {
            usleep(100)
        }
    }
}
