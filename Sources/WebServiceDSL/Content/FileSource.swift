// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import Synchronization

/// The content of a file, read part by part while it is sent.
///
/// The file is opened when the content is first needed, so that a request that waits holds no descriptor. Until the end
/// it must be the same file as when the source was made: a file that is replaced, or whose size or modification time
/// changes, fails with ``SwiftyError/Code/contentChanged``. The last part is returned only after that check, so that a
/// server never takes a mixture of two versions for a complete request.
///
/// Pipes and devices stay open, have no length, and are read once.
final class FileSource: ContentSource {
    private struct State {
        var file: ReadableFile?
        var position = 0
        var isCancelled = false
        /// Whether a pipe has been read to its end.
        var isEnded = false
    }

    /// The number of bytes that are read at a time.
    static let partSize = 256 << 10

    let length: Int?
    private let path: String
    private let identity: ReadableFile.Identity
    private let reader: FileReader
    private let use: SingleUse
    private let buffers = ReadBuffers(size: partSize)
    private let state: Mutex<State>

    /// - Parameters:
    ///   - file: The open file; closed again if it is regular.
    ///   - use: The record of the content, for a pipe or device.
    convenience init(_ path: String, file: ReadableFile, reader: FileReader, use: SingleUse) {
        let length = file.hasLength ? file.identity.size : nil
        self.init(
            path,
            identity: file.identity,
            length: length,
            reader: reader,
            use: use,
            open: file.hasLength ? nil : file
        )
    }

    private init(
        _ path: String,
        identity: ReadableFile.Identity,
        length: Int?,
        reader: FileReader,
        use: SingleUse,
        open file: ReadableFile?
    ) {
        self.path = path
        self.identity = identity
        self.length = length
        self.reader = reader
        self.use = use
        state = Mutex(State(file: file))
    }

    var isRewindable: Bool { length != nil }

    func next() async throws -> Data? {
        do {
            let part = if let length { try await nextPart(of: length) } else { try await nextOfPipe() }
            return part.isEmpty ? nil : part
        } catch let error as FileFailure {
            throw error.swiftyError(path, stage: .send)
        }
    }

    func rewind() async throws {
        state.withLock { $0.position = 0 }
    }

    func replayed() -> (any ContentSource)? {
        length.map { FileSource(path, identity: identity, length: $0, reader: reader, use: use, open: nil) }
    }

    func cancel() {
        state.withLock { state in
            state.file = nil
            state.isCancelled = true
        }
    }
}

extension FileSource {
    private func nextPart(of length: Int) async throws -> Data {
        let (open, position, isCancelled) = state.withLock { ($0.file, $0.position, $0.isCancelled) }
        if isCancelled { throw CancellationError() }
        if position == length, position > 0 { return Data() }
        let count = min(Self.partSize, length - position)
        let (identity, buffers) = (identity, buffers)
        let (file, part) = try await reader.run { path throws(FileFailure) in
            let file = if let open { open } else { try ReadableFile(path) }
            return (file, try Self.read(count, at: position, of: file, identity, into: buffers))
        }
        guard let part else { throw changed }
        state.withLock { state in
            if !state.isCancelled { state.file = file }
            state.position = position + count
        }
        return part
    }

    /// Reads a part; `nil` if the file was changed or replaced. Blocks.
    private static func read(
        _ count: Int,
        at position: Int,
        of file: ReadableFile,
        _ identity: ReadableFile.Identity,
        into buffers: ReadBuffers
    ) throws(FileFailure) -> Data? {
        if file.identity != identity { return nil }
        let part = try file.read(count, at: position, into: buffers)
        if position + count == identity.size, try file.currentIdentity() != identity { return nil }
        return part.count == count ? part : nil
    }

    private var changed: SwiftyError {
        SwiftyError(
            .contentChanged,
            stage: .send,
            sent: .maybeSent,
            reason: "the file \(path) was changed or replaced while it was sent"
        )
    }
}

// MARK: Pipes and devices

extension FileSource {
    private func nextOfPipe() async throws -> Data {
        let (isOpen, isEnded) = state.withLock { ($0.file != nil, $0.isEnded) }
        if isEnded { return Data() }
        guard isOpen else { throw CancellationError() }
        try use.begin(self)
        let part = try await reader.run { [weak self] _ throws(FileFailure) in try Self.readNextOfPipe { self } }
        guard let part else { throw CancellationError() }
        return part
    }

    /// Reads the available bytes; empty at the end, `nil` once the source is cancelled or released. Blocks.
    private static func readNextOfPipe(of source: () -> FileSource?) throws(FileFailure) -> Data? {
        guard let file = source()?.state.withLock({ $0.file }) else { return nil }
        let part = try file.readNext(partSize) { source()?.state.withLock { $0.isCancelled } ?? true }
        if part?.isEmpty ?? false {
            // Closed before the end is reported, because the next writer would connect to this reader.
            source()?.state.withLock { ($0.file, $0.isEnded) = (nil, true) }
        }
        return part
    }
}
