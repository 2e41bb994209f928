// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SwiftySupport

import struct Foundation.Data

// Safety: the writer is used only on the queue.
/// The part file of a download, for use by tasks: file operations block, so they run on a queue and not on the
/// cooperative pool.
final class PartFile: @unchecked Sendable {
    /// A file operation in progress, whose result can be awaited later.
    typealias Pending = Promise<Result<Void, FileFailure>>

    let target: DownloadTarget
    private let writer: PartWriter
    private let queue: DispatchQueue

    private init(_ target: DownloadTarget, writer: PartWriter, queue: DispatchQueue) {
        (self.target, self.writer, self.queue) = (target, writer, queue)
    }

    /// Examines the target, and opens its part file.
    ///
    /// - Parameter key: The key of the URL in records.
    static func open(
        for path: String,
        key: String,
        policy: DownloadPolicy
    ) async throws(SwiftyError) -> PartFile {
        let queue = DispatchQueue(label: "swifty.download")
        let result = await queue.value {
            Result { () throws(FileFailure) -> PartFile in
                let target = try DownloadTarget(path)
                if let name = target.name { try target.check(name, policy.existing) }
                let whole = target.name.map(target.path)
                let writer = try PartWriter(at: target.partPath(key: key), of: whole, key: key, policy: policy)
                return PartFile(target, writer: writer, queue: queue)
            }
        }
        return try get(result, path: path, stage: .building)
    }

    /// Uses the writer on the queue.
    ///
    /// - Throws: The failure as an error of the download.
    func use<Value: Sendable>(
        _ body: @escaping @Sendable (PartWriter) throws(FileFailure) -> Value
    ) async throws(SwiftyError) -> Value {
        let result = await queue.value { Result { () throws(FileFailure) in try body(self.writer) } }
        return try Self.get(result, path: target.path(of: target.name ?? ""), stage: .content)
    }

    /// Uses the writer on the queue for work that takes long, and that sees a cancellation of the task.
    ///
    /// - Throws: The failure as an error of the download.
    func use<Value: Sendable>(
        _ body: @escaping @Sendable (PartWriter, LoadCancellation) throws(FileFailure) -> Value
    ) async throws(SwiftyError) -> Value {
        let cancellation = LoadCancellation()
        let result = await withTaskCancellationHandler {
            await queue.value { Result { () throws(FileFailure) in try body(self.writer, cancellation) } }
        } onCancel: {
            cancellation.cancel()
        }
        return try Self.get(result, path: target.path(of: target.name ?? ""), stage: .content)
    }

    /// Uses the writer on the queue, without waiting.
    ///
    /// - Returns: The operation. Its result must be awaited before another one begins, so that nothing is written after
    ///   a failure.
    func start(_ body: @escaping @Sendable (PartWriter) throws(FileFailure) -> Void) -> Pending {
        let pending = Pending()
        queue.run {
            let result = Result { () throws(FileFailure) in try body(self.writer) }
            pending.resolve(result)
        }
        return pending
    }

    /// Waits for an operation to end.
    ///
    /// - Throws: Its failure as an error of the download.
    func wait(for pending: Pending) async throws(SwiftyError) {
        try Self.get(await pending.value(), path: target.path(of: target.name ?? ""), stage: .content)
    }

    private static func get<Value>(
        _ result: Result<Value, FileFailure>,
        path: String,
        stage: SwiftyError.Stage
    ) throws(SwiftyError) -> Value {
        do throws(FileFailure) {
            return try result.get()
        } catch {
            throw SwiftyError(error, path: path, stage: stage)
        }
    }
}

extension SwiftyError {
    /// The error of a file that cannot be written.
    fileprivate init(_ failure: FileFailure, path: String, stage: Stage) {
        let code: Code =
            switch failure.kind {
            case .inUse: .fileInUse
            case .noSpace: .diskFull
            case .exists: .fileExists
            case .tooLarge: .responseTooLarge
            case .cancelled: .cancelled
            case .other: .fileUnwritable
            }
        let reason =
            switch code {
            case .fileExists: "the file \(path) exists"
            case .cancelled: failure.reason
            default: "the file \(path) cannot be written: \(failure.reason)"
            }
        let sent = stage == .content ? SentState.responded : .notSent
        self.init(code, stage: stage, sent: sent, reason: reason, underlying: failure.systemError)
    }
}

/// Writes content in large writes, each while the chunks of the next one arrive.
///
/// No more than the chunks of two writes are in memory: a slow disk slows the server down.
struct ContentWriting {
    /// The number of bytes of a write.
    private static let writeSize = 256 << 10

    private let part: PartFile
    /// The age of the oldest chunk at which the next chunk has even a few bytes written.
    private let patience: Duration
    private var chunks: [Data] = []
    private var count = 0
    private var begin = ContinuousClock.now
    private var pending: PartFile.Pending?

    init(_ part: PartFile, _ policy: DownloadPolicy) {
        self.part = part
        patience = min(policy.checkpointInterval / 2, .seconds(1))
    }

    /// Adds bytes, and begins to write if there are enough of them, or if they have waited for longer than `patience`.
    mutating func append(_ bytes: Data) async throws(SwiftyError) {
        if chunks.isEmpty { begin = .now }
        chunks.append(bytes)
        count += bytes.count
        guard count >= Self.writeSize || ContinuousClock.now - begin > patience else { return }
        try await flush()
    }

    /// Writes everything.
    mutating func finish() async throws(SwiftyError) {
        if count > 0 { try await flush() }
        try await waitForPending()
    }

    private mutating func flush() async throws(SwiftyError) {
        try await waitForPending()
        let chunks = chunks
        pending = part.start { (writer) throws(FileFailure) in try writer.append(chunks) }
        (self.chunks, count) = ([], 0)
    }

    private mutating func waitForPending() async throws(SwiftyError) {
        guard let pending else { return }
        self.pending = nil
        do throws(SwiftyError) {
            try await part.wait(for: pending)
        } catch {
            // What follows must not be written where the failed write has left a gap.
            (chunks, count) = ([], 0)
            throw error
        }
    }
}
