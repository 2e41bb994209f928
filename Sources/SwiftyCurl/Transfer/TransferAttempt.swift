// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// One attempt of a transfer: everything that a repetition must not inherit. A repetition begins with a new value;
/// everything else in ``Transfer`` is kept.
struct TransferAttempt: ~Copyable {
    /// The progress of sending the content.
    var upload: Upload
    var progress = ResponseProgress()
    /// The content of the response that has arrived.
    var received = ContentBuffer()
    /// The part of a streamed response that is gathered for the reader.
    var part = PartBuffer()
    /// Whether the connection waits until the reader has taken the arrived bytes.
    var isPaused = false
    /// The end of the wait for a 100 response, in monotonic nanoseconds.
    var continueDeadline = Int64.max
    var isConnectionReused = false
    /// The stream of HTTP/2; zero without one.
    var stream: Int32 = 0
    /// The times at which the connection was ready, and of the first byte of the response; zero until then.
    var ready: Int64 = 0
    var firstByte: Int64 = 0

    init(_ upload: Upload) {
        self.upload = upload
    }
}
