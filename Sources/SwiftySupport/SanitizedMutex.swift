// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if SWIFTY_THREAD_SANITIZER
import Foundation

/// A mutex like `Synchronization.Mutex` that the thread sanitizer can see.
///
/// On Linux, `Synchronization.Mutex` uses futexes in a library that is not instrumented, so the sanitizer reports every
/// access under it as a race. In a sanitized build the `Mutex` of each module is this one, on a POSIX mutex, which the
/// sanitizer knows; see Docs/Decisions/0002-thread-sanitizer.md.
// Safety: the value is accessed only while the mutex is held; both pointers live as long as the mutex.
package struct SanitizedMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    /// Makes a mutex that guards a value.
    package init(_ initialValue: consuming sending Value) {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        value = .allocate(capacity: 1)
        value.initialize(to: initialValue)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Calls the closure with the value while the mutex is held.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
#endif
