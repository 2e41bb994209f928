// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Forms of the content other than its parts. Each reads from the current position of the stream; bytes that an
/// iterator has received and not returned are lost with it.
extension ResponseStream {
    /// The content as lines; see ``NetworkResource/lines(limit:)``.
    public func lines(limit: Int = 1 << 20) -> NetworkSequence<String> {
        PartSource.open(self).lines(limit: limit)
    }

    /// The content as lines of bytes; see ``NetworkResource/byteLines(limit:)``.
    public func byteLines(limit: Int = 1 << 20) -> NetworkSequence<Data> {
        PartSource.open(self).byteLines(limit: limit)
    }

    /// The content byte by byte.
    public func bytes() -> NetworkSequence<UInt8> {
        PartSource.open(self).bytes
    }

    /// The values of content with one JSON text per line; see ``NetworkResource/jsonLines(_:at:decoder:limit:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - place: The place of the value in each line; `nil` for the whole line.
    ///   - decoder: The decoder; a plain one if `nil`.
    ///   - limit: The largest line in bytes.
    public func jsonLines<Value: Decodable & Sendable>(
        _ type: Value.Type,
        at place: ContentPlace? = nil,
        decoder: JSONDecoder? = nil,
        limit: Int = 1 << 20
    ) -> NetworkSequence<Value> {
        let format = decoder.map { JSONFormat(decoder: $0) } ?? ServiceCoding.standard.json
        return PartSource.open(self).jsonLines(format, at: place, limit: limit)
    }

    /// The rest of the content, in memory.
    ///
    /// - Parameter limit: The largest number of bytes.
    /// - Throws: ``SwiftyError`` of the transfer, or ``SwiftyError/Code/responseTooLarge`` for more bytes than the
    ///   limit, which ends the transfer.
    public nonisolated(nonsending) func collect(limit: Int) async throws(SwiftyError) -> Data {
        var bytes = Data()
        while let part = try await next() {
            bytes += part
            if bytes.count > limit {
                cancel()
                let reason = "the content has more than \(limit) bytes, the limit of collect(limit:)"
                throw SwiftyError(.responseTooLarge, stage: .content, sent: .responded, reason: reason)
                    .withResponse(head, content: nil)
            }
        }
        return bytes
    }

    /// Calls a closure with each part of the rest of the content, and awaits it before the next part is read.
    ///
    /// - Throws: ``SwiftyError`` of the transfer, or the error of the closure, which ends the transfer.
    public nonisolated(nonsending) func read(_ receive: (Data) async throws -> Void) async throws {
        while let part = try await next() {
            do {
                try await receive(part)
            } catch {
                cancel()
                throw error
            }
        }
    }

    /// Reads the rest of the content without keeping it, so that the connection can serve another request.
    ///
    /// - Throws: ``SwiftyError`` of the transfer.
    public nonisolated(nonsending) func discard() async throws(SwiftyError) {
        while try await next() != nil {}
    }
}
