// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability && SWIFTY_THREAD_SANITIZER
import SwiftySupport

/// In a sanitized build, a mutex that the sanitizer can see; see `SanitizedMutex`.
typealias Mutex = SanitizedMutex
#endif
