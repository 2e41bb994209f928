// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SwiftySupport
import Synchronization

/// Writes a jar's cookies to its file: one save at a time, and not for every change.
final class CookieFileWriter: Sendable {
    private struct Record {
        var savedChanges: Int
        var error: CookieJar.FileError?
    }

    /// The time for which changes are gathered.
    private static let delay = Duration.seconds(1)

    let path: String
    private let record: Mutex<Record>
    private let isScheduled = Atomic(false)

    init(path: String, savedChanges: Int) {
        self.path = path
        record = Mutex(Record(savedChanges: savedChanges))
    }

    var error: CookieJar.FileError? { record.withLock { $0.error } }

    /// Calls the closure after a delay, unless a call is already scheduled.
    func schedule(_ save: @escaping @Sendable () -> Void) {
        if isScheduled.exchange(true, ordering: .acquiringAndReleasing) { return }
        DispatchQueue.global(qos: .utility).run(after: Self.delay) { [self] in
            isScheduled.store(false, ordering: .releasing)
            save()
        }
    }

    /// Writes the cookies that the closure returns, if there are changes.
    ///
    /// The closure is called when no other save is in progress, so that an older state never follows a newer one.
    func save(_ snapshot: () -> (changes: Int, entries: [CookieStore.Entry])) throws(CookieJar.FileError) {
        try record.withLock { record throws(CookieJar.FileError) in
            let (changes, entries) = snapshot()
            if changes == record.savedChanges { return }
            do throws(FileFailure) {
                try AtomicFileWriter.replace(path, with: Array(CookieFile.text(of: entries).utf8))
                (record.savedChanges, record.error) = (changes, nil)
            } catch {
                let error = CookieJar.FileError(.unwritable, path: path, reason: error.reason)
                record.error = error
                throw error
            }
        }
    }
}
