// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension World {
    /// Waits for so many nanoseconds, whether or not the task is cancelled.
    public func sleep(_ nanoseconds: Int64) async {
        if nanoseconds <= 0 { return }
        await withCheckedContinuation { continuation in
            after(nanoseconds) { continuation.resume() }
        }
    }
}
