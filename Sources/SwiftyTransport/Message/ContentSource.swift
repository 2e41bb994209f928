// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// The content of a request that is produced while it is sent.
///
/// A transport asks for the next part while the one before is sent, so a slow server slows the source down. It makes
/// one call at a time, from a separate task, which is cancelled when the transfer ends early. One source serves one
/// transfer; another transfer of the same content begins with ``replayed()``.
public protocol ContentSource: AnyObject, Sendable {
    /// The number of bytes of the whole content; `nil` if it is unknown.
    ///
    /// With a length, the request has a `Content-Length`, and a source with fewer or more bytes fails the transfer with
    /// ``SwiftyError/Code/contentUnreadable``. Without one, HTTP/1.1 uses the chunked transfer coding.
    var length: Int? { get }

    /// Whether the content can be produced again: by ``rewind()`` in the same transfer, by ``replayed()`` in another.
    var isRewindable: Bool { get }

    /// Produces the next part; `nil` after the last one. Empty parts are skipped.
    ///
    /// - Throws: Any error. It fails the transfer: a ``SwiftyError`` with its code, any other with
    ///   ``SwiftyError/Code/contentUnreadable`` and as the underlying error.
    func next() async throws -> Data?

    /// Goes back to the beginning. Called only if ``isRewindable`` is `true`. What follows must be the same bytes: a
    /// source that has only the rest of them throws ``SwiftyError/Code/contentNotReplayable``, now or in ``next()``,
    /// and never returns `nil`, which would make the rest a complete request.
    ///
    /// - Throws: Any error, as for ``next()``.
    func rewind() async throws

    /// A source of the same content, at its beginning, for another transfer; `nil` if it cannot be produced again.
    ///
    /// This source may still be in use: a call of ``next()`` that the end of its transfer has cancelled may return
    /// late.
    func replayed() -> (any ContentSource)?

    /// The content is no longer needed. Called at the end of the transfer, even after all of it was sent, from any
    /// thread, possibly during ``next()``.
    func cancel()
}

extension ContentSource {
    /// Does nothing: the source cannot be rewound.
    public func rewind() async throws {}

    /// `nil`: the content can be produced only once.
    public func replayed() -> (any ContentSource)? { nil }

    /// Does nothing.
    public func cancel() {}
}
