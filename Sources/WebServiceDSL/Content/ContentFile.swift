// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SwiftySupport

/// Content that is a file, opened again for each attempt.
struct ContentFile: Sendable {
    let path: String
    /// For a pipe or a device, which is read once.
    private let use = SingleUse()

    var isUsedUp: Bool { use.isUsed }

    /// Opens the file, so that one that cannot be read fails the load before anything is sent.
    ///
    /// - Throws: ``SwiftyError/Code/contentUnreadable``, ``SwiftyError/Code/contentNotReplayable``.
    func open() async throws(SwiftyError) -> FileSource {
        try use.check()
        let reader = await FileReader.make(path)
        do throws(FileFailure) {
            let file = try await reader.run { path throws(FileFailure) in try ReadableFile(path) }
            return FileSource(path, file: file, reader: reader, use: use)
        } catch {
            throw error.swiftyError(path, stage: .building)
        }
    }
}

/// Runs the blocking calls of one file on a Dispatch queue, because the cooperative pool must not block.
struct FileReader: Sendable {
    private let path: String
    private let queue: DispatchQueue

    /// Chooses the queue. Calls that may wait for another process get a separate one, so that they do not delay those
    /// of files.
    static func make(_ path: String) async -> FileReader {
        await DispatchQueue.global().value {
            let queue = ReadableFile.mayWait(path) ? DispatchQueue(label: "swifty.pipe") : .global()
            return FileReader(path: path, queue: queue)
        }
    }

    func run<Value: Sendable>(
        _ body: @escaping @Sendable (String) throws(FileFailure) -> Value
    ) async throws(FileFailure) -> Value {
        let path = path
        let result = await queue.value { Result { () throws(FileFailure) in try body(path) } }
        return try result.get()
    }
}

extension FileFailure {
    func swiftyError(_ path: String, stage: SwiftyError.Stage) -> SwiftyError {
        SwiftyError(
            .contentUnreadable,
            stage: stage,
            sent: stage == .building ? .notSent : .maybeSent,
            reason: "the file \(path) cannot be read: \(reason)",
            underlying: systemError
        )
    }
}
