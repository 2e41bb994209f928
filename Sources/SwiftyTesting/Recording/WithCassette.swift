// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Swifty
import SwiftySupport

/// Runs a block whose requests are recorded to a file the first time, and replayed from it afterwards.
///
///     try await withCassette("busy-then-fine") {
///         let status = try await GitHub.status().load()
///     }
///
/// The file, `Mocks/busy-then-fine.har`, has the format HAR 1.2, which browsers and other programs read. Each request
/// gets the first recorded answer that was not replayed yet to the same method, URL and content; so identical requests
/// get their answers in the recorded order. Failures of a transfer are also recorded and replayed. Requests are
/// recorded below the pipeline: each attempt, redirect and challenge is an exchange. A secret that was replaced stands
/// for any value.
///
/// Secrets are replaced before anything reaches the disk; see ``CassetteRedaction``. The file is written when the block
/// returns, whole or not at all, and only its owner can read it; if the block throws, nothing is written. Responses
/// whose content was not read to its end are not recorded. Content is held in memory while it is recorded.
///
/// - Parameters:
///   - name: The name of the file, whose extension `.har` may be left out, in the folder `Mocks` of the calling
///     package, or in that of the environment variable `SWIFTY_MOCKS`; or an absolute path.
///   - mode: See ``RecordMode``. The environment variable `SWIFTY_RECORD` overrides it.
///   - service: The service whose requests are recorded; `nil` for those of all.
///   - redaction: What is kept out of the file.
///   - callerFile: The calling source file, filled in by the compiler.
///   - body: The block, which runs on the caller's actor.
/// - Returns: The result of the block.
/// - Throws: The error of the block. ``SwiftyError/Code/mockUnavailable`` for a file that is damaged or of another
///   version, ``SwiftyError/Code/fileInUse`` if it is being recorded elsewhere, ``SwiftyError/Code/fileUnwritable`` or
///   ``SwiftyError/Code/diskFull`` if it cannot be written.
@discardableResult
public nonisolated(nonsending) func withCassette<Result>(
    _ name: String,
    mode: RecordMode = .once,
    for service: (any NamedService.Type)? = nil,
    redaction: CassetteRedaction = CassetteRedaction(),
    callerFile: String = #filePath,
    _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
    let path = try cassettePath(name, callerFile: callerFile)
    return try await withCassette(at: path, mode: mode, for: service, redaction: redaction, body)
}

/// Runs a block with a cassette whose path is known; see ``withCassette(_:mode:for:redaction:callerFile:_:)``.
package nonisolated(nonsending) func withCassette<Result>(
    at path: String,
    mode: RecordMode = .once,
    for service: (any NamedService.Type)? = nil,
    redaction: CassetteRedaction = CassetteRedaction(),
    _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
    let mode = try RecordMode.fromEnvironment() ?? mode
    // The block may change the current folder of the process before the file is written.
    let path = FilePlace.absolute(path)
    // Held from before the file is read until it is written, so that the recording of another process is not lost.
    var lock = mode.mayRecord(path) ? try lockCassette(path) : nil
    defer { lock?.release() }
    let cassette = try Cassette(path: path)
    if mode == .new { try cassette?.checkExtensible() }
    let secrets = (service as? any WebService.Type).flatMap { RequestSecrets.named($0.secretNames) }
    let session = CassetteSession(cassette, path: path, mode: mode, redaction: redaction, secrets: secrets)
    if !session.records {
        lock?.release()
        lock = nil
    }
    let transport = ScopedTransport(isForTests: true) { draft, clock, network in
        CassetteTransport(session: session, network: network, draft: draft, clock: clock)
    }
    let result = try await NetworkScope.with(.transport(transport), for: service, body)
    try session.finish()
    return result
}

extension RecordMode {
    fileprivate func mayRecord(_ path: String) -> Bool {
        switch self {
        case .all, .new: true
        case .none: false
        case .once: !FileManager.default.fileExists(atPath: path)
        }
    }
}

/// The path of the existing file, or else of the one to make.
private func cassettePath(_ name: String, callerFile: String) throws(SwiftyError) -> String {
    guard !name.isEmpty, !name.split(separator: "/").contains("..") else {
        throw .mockUnavailable("\"\(name)\" cannot be the name of a cassette: it is empty or contains \"..\"")
    }
    let file = name.hasSuffix(".har") ? name : "\(name).har"
    let candidates = MockFile(name: file, callerFile: callerFile).candidates(directory: nil)
    if let path = candidates.first(where: { FileManager.default.fileExists(atPath: $0) }) ?? candidates.first {
        return path
    }
    throw .mockUnavailable(
        "there is no folder for the cassette \"\(name)\": set SWIFTY_MOCKS, or give an absolute path"
    )
}

/// Locks a cassette while it is recorded, for other blocks and other processes.
private func lockCassette(_ path: String) throws(SwiftyError) -> LockedFile {
    do {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try LockedFile.make(at: path + ".lock")
    } catch {
        if let error = error as? FileFailure, error.kind == .inUse {
            let reason = "the cassette \(path) is being recorded by another test or process"
            throw SwiftyError(.fileInUse, stage: .building, reason: reason)
        }
        let reason = "the cassette \(path) cannot be locked: \((error as? FileFailure)?.reason ?? "\(error)")"
        throw SwiftyError(.fileUnwritable, stage: .building, reason: reason)
    }
}

extension LockedFile {
    /// Removes the lock's file while it is still held, so that none remains.
    fileprivate func release() {
        removeName()
        unlock()
    }
}
