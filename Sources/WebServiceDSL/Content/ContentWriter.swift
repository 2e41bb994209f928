// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// Writes the content of a request while it is sent.
///
///     try await Files.put("live").stream { writer in
///         for await reading in sensor { try await writer.write("\(reading)\n") }
///     }.load()
///
/// Up to 256 KiB are buffered; a write beyond that waits until the transfer has taken what is buffered. The content is
/// complete when the closure that got the writer returns. All methods may be called from any task; the data of
/// simultaneous calls is taken in no particular order.
public final class ContentWriter: Sendable {
    private let pipe: ContentPipe

    init(_ pipe: ContentPipe) {
        self.pipe = pipe
    }

    /// Writes bytes, and waits until there is room for them. Data of more than 256 KiB is taken in several steps.
    ///
    /// - Throws: ``SwiftyError`` with the code ``SwiftyError/Code/cancelled`` if the transfer or the content has ended,
    ///   or if the calling task is cancelled while it waits.
    public func write(_ data: Data) async throws(SwiftyError) {
        if data.isEmpty, pipe.isClosed { throw Self.ended }
        var rest = data
        while !rest.isEmpty {
            let part = rest.prefix(ContentPipe.capacity)
            rest = rest.dropFirst(part.count)
            guard await pipe.put(part) else { throw Self.ended }
        }
    }

    /// Writes text in UTF-8; see ``write(_:)-(Data)``.
    public func write(_ text: String) async throws(SwiftyError) {
        try await write(Data(text.utf8))
    }

    private static let ended = SwiftyError(
        .cancelled,
        stage: .send,
        sent: .maybeSent,
        reason: "the content or its transfer has ended, so that nothing more can be written"
    )
}
