// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Swifty
import SwiftySupport

/// Standard input that is sent while it is read: a large file, or a pipe of which only the beginning has been read.
final class InputSource: Sendable {
    private enum Place {
        case pipe(beginning: Data)
        /// A file, read from the descriptor's original offset.
        case file(start: Int)
    }

    /// The number of bytes that are read in one call.
    private static let partSize = 64 << 10

    /// The number of bytes; `nil` for a pipe.
    let length: Int?
    private let place: Place
    private let queue = DispatchQueue(label: "swifty.input")

    /// A pipe, whose beginning has been read already.
    init(pipe beginning: Data) {
        place = .pipe(beginning: beginning)
        length = nil
    }

    init(fileFrom start: Int, length: Int) {
        place = .file(start: start)
        self.length = length
    }

    /// Whether the content can be read again, for another attempt.
    var isReplayable: Bool { length != nil }

    /// Writes the whole content, as fast as the writer accepts it.
    func write(to writer: ContentWriter) async throws {
        var count = 0
        if case .pipe(let beginning) = place { try await writer.write(beginning) }
        while let part = try await next(behind: count) {
            try await writer.write(part)
            count += part.count
        }
    }

    /// The next part; `nil` at the end.
    private func next(behind count: Int) async throws -> Data? {
        let limit = min(Self.partSize, length.map { $0 - count } ?? Self.partSize)
        if limit <= 0 { return nil }
        var offset: Int?
        if case .file(let start) = place { offset = start + count }
        switch await read(limit, at: offset) {
        case .bytes(let bytes): return bytes.isEmpty ? nil : bytes
        case .failed(let code):
            let reason = "standard input cannot be read: \(String(cString: strerror(code)))"
            throw SwiftyError(.contentUnreadable, stage: .send, sent: .maybeSent, reason: reason)
        }
    }

    /// Reads on the queue; returns when bytes arrive or the task is cancelled.
    private func read(_ limit: Int, at offset: Int?) async -> Descriptor.Part {
        let cancellation = LoadCancellation()
        return await withTaskCancellationHandler {
            await queue.value { Self.read(limit, at: offset, unless: cancellation) }
        } onCancel: {
            cancellation.cancel()
        }
    }

    private static func read(_ limit: Int, at offset: Int?, unless cancellation: LoadCancellation) -> Descriptor.Part {
        // A pipe may stay silent for ever, and nothing else ends a call that waits for it.
        while !Descriptor.isReadable(STDIN_FILENO, within: 100) {
            if cancellation.code != nil { return .failed(ECANCELED) }
        }
        return Descriptor.read(from: STDIN_FILENO, atMost: limit, at: offset)
    }
}

extension InputSource: Equatable {
    static func == (one: InputSource, other: InputSource) -> Bool { one === other }
}
