// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// The content of a request that is produced while it is sent.
///
/// A transport asks for the next part when the server has taken the one before, so a slow server slows the source down.
/// It makes one call at a time, from a task of its own; that task is cancelled when the transfer ends early.
public protocol ContentSource: Sendable {
    /// The number of bytes of the whole content; `nil` if it is unknown.
    ///
    /// With a length, the request has a `Content-Length`, and a source with fewer or more bytes fails the transfer with
    /// ``SwiftyError/Code/bodyUnreadable``. Without one, HTTP/1.1 uses the chunked transfer coding.
    var length: Int? { get }

    /// Whether ``rewind()`` can bring the source back to its beginning, so that the request can be sent again.
    var isRewindable: Bool { get }

    /// Produces the next part; `nil` after the last one. Empty parts are skipped.
    ///
    /// - Throws: Any error. It fails the transfer with ``SwiftyError/Code/bodyUnreadable``, as its underlying error.
    func next() async throws -> Data?

    /// Goes back to the beginning. Called only if ``isRewindable`` is `true`.
    ///
    /// - Throws: Any error, as for ``next()``.
    func rewind() async throws
}

extension ContentSource {
    /// Does nothing: the source cannot be rewound.
    public func rewind() async throws {}
}
