// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Swifty
import SwiftySupport

/// A file with recorded exchanges, in the format HAR 1.2.
public struct Cassette: Sendable {
    /// The path of the file.
    public let path: String
    let entries: [HAREntry]
    /// The entries that were left out of a file of another program, because they are not answers over HTTP: one
    /// sentence for each, such as "GET https://example.com/a has no response". Secrets are replaced.
    public let skipped: [String]
    /// The program that wrote the file.
    private let creator: String

    /// Reads a file.
    ///
    /// - Parameter path: The path, with its extension. Files of other programs can also be read: entries that were
    ///   aborted, do not use HTTP (`wss:`, `data:`) or have another form are ``skipped``.
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` for a file that does not exist, cannot be read, is damaged or of
    ///   another version.
    public init(contentsOf path: String) throws(SwiftyError) {
        guard let cassette = try Cassette(path: path) else { throw .mockUnavailable("there is no cassette \(path)") }
        self = cassette
    }

    /// The number of recorded exchanges.
    public var count: Int { entries.count }

    /// Reads a file; `nil` if it does not exist.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` for a file that cannot be read, is damaged or of another version.
    init?(path: String) throws(SwiftyError) {
        let bytes: Data
        do throws(FileFailure) {
            bytes = try FileContent.read(path, as: .regular(maximum: Self.maximumSize))
        } catch {
            if error.isMissing { return nil }
            throw .mockUnavailable("the cassette \(path) cannot be read: \(error.reason)")
        }
        let log = try Self.log(in: bytes, of: path)
        self.path = path
        (entries, creator, skipped) = (log.entries, log.creator.name, log.skipped)
    }

    private static func log(in bytes: Data, of path: String) throws(SwiftyError) -> HARLog {
        let log: HARLog
        do {
            log = try JSONDecoder().decode(HARFile.self, from: bytes).log
        } catch {
            let fault = CassetteFault(error, in: bytes)
            throw .mockUnavailable(
                "\(path):\(fault.line): the cassette is damaged: \(fault.reason); "
                    + "record it again (\(RecordMode.environmentVariable)=all)"
            )
        }
        // "If empty, 1.1 is assumed", and some programs leave it out.
        guard ["", "1.1", "1.2"].contains(log.version) else {
            throw .mockUnavailable(
                "the cassette \(path) has the version \(Redaction.oneLine(log.version)) of HAR; "
                    + "versions 1.1 and 1.2 can be replayed"
            )
        }
        return log
    }

    /// Refuses to add to the file of another program, because much of it would be lost.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable``.
    func checkExtensible() throws(SwiftyError) {
        if creator == Self.ownName { return }
        throw .mockUnavailable(
            "the cassette \(path) was made by \(Redaction.oneLine(creator)), and only what Swifty needs of it would be "
                + "written again; copy it, and record what is missing to another file"
        )
    }

    static let ownName = "Swifty"

    private static var maximumSize: Int { 1 << 30 }

    init(path: String, entries: [HAREntry]) {
        (self.path, self.entries, creator, skipped) = (path, entries, Self.ownName, [])
    }

    /// Writes the file, whole or not at all, so that only its owner can read it.
    ///
    /// - Throws: ``SwiftyError/Code/fileUnwritable`` or ``SwiftyError/Code/diskFull``.
    func write() throws(SwiftyError) {
        let creator = HARCreator(name: Self.ownName, version: SwiftyVersion.current)
        let file = HARFile(log: HARLog(version: "1.2", creator: creator, entries: entries))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let reason: String
        do {
            let bytes = Array(try encoder.encode(file)) + [UInt8.lineFeed]
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // The cassette is locked while it is recorded.
            try AtomicFileWriter.replaceOwn(path, with: bytes)
            return
        } catch let error as FileFailure {
            if error.kind == .noSpace {
                throw SwiftyError(.diskFull, stage: .content, reason: "\(path): \(error.reason)")
            }
            reason = error.reason
        } catch {
            reason = "\(error)"
        }
        throw SwiftyError(.fileUnwritable, stage: .content, reason: "the cassette \(path) cannot be written: \(reason)")
    }
}
