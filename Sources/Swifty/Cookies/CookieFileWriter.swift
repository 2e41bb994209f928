// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SwiftySupport
import Synchronization

/// Writes a jar's cookies to its file: one save at a time, and one for all changes of a second.
final class CookieFileWriter: Sendable {
    private struct State {
        /// The number of changes that the file contains; see ``CookieStore/changes``.
        var savedChanges: Int
        /// The error of the last save; `nil` if it succeeded.
        var error: CookieJar.FileError?
    }

    /// The time for which changes are gathered.
    private static let delay = Duration.seconds(1)
    /// The number of times that a failed save is repeated, for a disk that is full for a moment.
    private static let maximumRepeats = 10

    let path: String
    /// Locked during a save, so that there is one at a time.
    private let state: Mutex<State>
    private let isScheduled = Atomic(false)
    /// The number of times that a failed save may still be repeated.
    private let repeats = Atomic(0)

    init(path: String, savedChanges: Int) {
        self.path = path
        state = Mutex(State(savedChanges: savedChanges))
    }

    var error: CookieJar.FileError? { state.withLock { $0.error } }

    /// Calls the closure after a delay, unless a call is already scheduled. If it fails, it is called again after the
    /// same delay, a few times.
    func schedule(_ save: @escaping @Sendable () throws -> Void) {
        // Each change gets all repetitions, even if a repetition for an earlier one is already scheduled.
        repeats.store(Self.maximumRepeats, ordering: .relaxed)
        scheduleNext(save)
    }

    private func scheduleNext(_ save: @escaping @Sendable () throws -> Void) {
        if isScheduled.exchange(true, ordering: .acquiringAndReleasing) { return }
        DispatchQueue.global(qos: .utility).run(after: Self.delay) { [self] in
            // Before the save: a change that it misses must schedule another one.
            isScheduled.store(false, ordering: .releasing)
            do {
                try save()
            } catch {
                if repeats.wrappingSubtract(1, ordering: .relaxed).newValue >= 0 { scheduleNext(save) }
            }
        }
    }

    /// Writes the cookies that the closure returns, if there are changes.
    ///
    /// The closure is called when no other save is in progress, so that an older state never follows a newer one.
    func save(_ snapshot: () -> (changes: Int, entries: [CookieStore.Entry])) throws(CookieJar.FileError) {
        try state.withLock { state throws(CookieJar.FileError) in
            let (changes, entries) = snapshot()
            if changes == state.savedChanges { return }
            do throws(FileFailure) {
                try AtomicFileWriter.replace(path, with: Array(CookieFile.text(of: entries).utf8))
                (state.savedChanges, state.error) = (changes, nil)
            } catch {
                let error = CookieJar.FileError(.unwritable, path: path, reason: error.reason)
                state.error = error
                throw error
            }
        }
    }
}
