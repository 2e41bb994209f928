// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// Bodies that are read or produced while they are sent: the memory that they need does not depend on their size.
extension NetworkResourceWithBody {
    /// Sends the content of a file, which is read while it is sent, from the beginning for each attempt.
    ///
    /// A file that cannot be read fails the load with ``SwiftyError/Code/contentUnreadable``, before anything is sent
    /// if possible. One that changes, or is replaced by another, while it is sent fails it with
    /// ``SwiftyError/Code/contentChanged``, and the server gets no complete request.
    ///
    /// A named pipe, a device or another file without a size is sent with an unknown length, and read only once:
    /// after that there is no retry, and what asks for the content again, such as a redirect with 307, fails the load
    /// with ``SwiftyError/Code/contentNotReplayable``.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - contentType: The media type; if `nil`, it follows from the file's extension.
    @discardableResult
    public func file(_ path: String, contentType: String? = nil) -> Self {
        modify { $0.setContent(.file(path: path), contentType: contentType ?? MediaType.forFile(named: path)) }
    }

    /// Sends the elements of an asynchronous sequence, each of which is taken after the earlier ones were sent.
    ///
    /// A sequence that throws fails the load with ``SwiftyError/Code/contentUnreadable`` and the error as the
    /// underlying one; a `SwiftyError` fails it with its own code.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, if it is known; another number fails the load in the same way. Without a
    ///     length, HTTP/1.1 sends chunks.
    ///   - contentType: The media type.
    ///   - isReplayable: Whether `makeChunks` may be called again, for another attempt, and then makes a sequence of
    ///     the same bytes. If not, there is no retry after the first part, and a request that a redirect or a
    ///     challenge asks for again fails with ``SwiftyError/Code/contentNotReplayable``; so does a sequence that
    ///     begins with other bytes than before, or has fewer.
    ///   - makeChunks: Makes the sequence; called once for each time that the content is sent, when its first part is
    ///     needed.
    @discardableResult
    public func stream<Chunks: AsyncSequence>(
        length: Int64? = nil,
        contentType: String = "application/octet-stream",
        isReplayable: Bool = true,
        _ makeChunks: @escaping @Sendable () async throws -> Chunks
    ) -> Self where Chunks.Element == Data, Chunks: SendableMetatype, Chunks.AsyncIterator: SendableMetatype {
        let body = ContentStream(length: length, isReplayable: isReplayable, sequence: makeChunks)
        return setStream(body, length: length, contentType: contentType)
    }

    /// Sends what a closure writes, while it writes.
    ///
    ///     try await Files.put("live").stream { writer in
    ///         for await reading in sensor { try await writer.write("\(reading)\n") }
    ///     }.load()
    ///
    /// The closure runs in its own task, which is cancelled when the transfer ends early, as with a response that does
    /// not wait for the content. A closure that throws fails the load with ``SwiftyError/Code/contentUnreadable`` and
    /// the error as the underlying one; a `SwiftyError` fails it with its own code.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, if it is known; another number fails the load in the same way. Without a
    ///     length, HTTP/1.1 sends chunks.
    ///   - contentType: The media type.
    ///   - isReplayable: Whether the closure may run again, for another attempt, and then writes the same bytes. If
    ///     not, there is no retry after the first part, and a request that a redirect or a challenge asks for again
    ///     fails with ``SwiftyError/Code/contentNotReplayable``; so does a run that begins with other bytes than
    ///     before, or writes fewer.
    ///   - write: Writes the content, which is complete when it returns. It runs once for each time that the content is
    ///     sent; a cancelled run may still be ending while the next one begins.
    @discardableResult
    public func stream(
        length: Int64? = nil,
        contentType: String = "application/octet-stream",
        isReplayable: Bool = true,
        _ write: @escaping @Sendable (ContentWriter) async throws -> Void
    ) -> Self {
        let body = ContentStream(length: length, isReplayable: isReplayable, writing: write)
        return setStream(body, length: length, contentType: contentType)
    }

    private func setStream(_ body: ContentStream, length: Int64?, contentType: String) -> Self {
        modify { draft in
            draft.checkLength(ofStream: length)
            draft.setContent(.stream(body), contentType: contentType)
        }
    }
}

extension RequestDraft {
    /// Refuses a negative length.
    mutating func checkLength(ofStream length: Int64?) {
        if let length, length < 0 { fail(.contentUnreadable, "the length of the content is \(length)") }
    }
}
