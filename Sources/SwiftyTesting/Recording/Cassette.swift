// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// A file with recorded exchanges, in the format HAR 1.2.
struct Cassette {
    let path: String
    private(set) var entries: [HAREntry]

    /// Reads a file; `nil` if there is none.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` for a file that cannot be read, is damaged or of another version.
    init?(path: String) throws(SwiftyError) {
        let bytes: Data
        do throws(UnreadableFile) {
            bytes = try FileContent.read(path, as: .regular(maximum: Self.maximumSize))
        } catch {
            if error.isMissing { return nil }
            throw .mockUnavailable("the cassette \(path) cannot be read: \(error.reason)")
        }
        self.path = path
        do {
            let log = try JSONDecoder().decode(HARFile.self, from: bytes).log
            guard ["1.1", "1.2"].contains(log.version) else {
                throw SwiftyError.mockUnavailable(
                    "the cassette \(path) has the version \(log.version) of HAR; versions 1.1 and 1.2 can be replayed"
                )
            }
            entries = log.entries
        } catch let error as SwiftyError {
            throw error
        } catch {
            throw .mockUnavailable(
                "the cassette \(path) is damaged: \(Self.describe(error)); "
                    + "record it again (\(RecordMode.environmentVariable)=all)"
            )
        }
    }

    private static var maximumSize: Int { 1 << 30 }

    init(path: String, entries: [HAREntry]) {
        (self.path, self.entries) = (path, entries)
    }

    /// Writes the file, whole or not at all, so that only its owner can read it.
    ///
    /// - Throws: ``SwiftyError/Code/fileUnwritable`` or ``SwiftyError/Code/diskFull``.
    func write() throws(SwiftyError) {
        let creator = HARCreator(name: "Swifty", version: SwiftyVersion.current)
        let file = HARFile(log: HARLog(version: "1.2", creator: creator, entries: entries))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let reason: String
        do {
            let bytes = Array(try encoder.encode(file)) + [UInt8.lineFeed]
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try AtomicFileWriter.replace(path, with: bytes)
            return
        } catch let error as FileFailure {
            if error.kind == .noSpace { throw SwiftyError(.diskFull, stage: .body, reason: "\(path): \(error.reason)") }
            reason = error.reason
        } catch {
            reason = "\(error)"
        }
        throw SwiftyError(.fileUnwritable, stage: .body, reason: "the cassette \(path) cannot be written: \(reason)")
    }

    private static func describe(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context): "\(place(context))\(key.stringValue) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(place(context).dropLast()) has another type"
        case DecodingError.dataCorrupted(let context):
            context.underlyingError.map { ($0 as NSError).userInfo["NSDebugDescription"] as? String ?? "\($0)" }
                ?? context.debugDescription
        default: "\(error)"
        }
    }

    /// The place of a member, such as `log.entries[3].request.`.
    private static func place(_ context: DecodingError.Context) -> String {
        context.codingPath.reduce("") { path, key in
            if let index = key.intValue { return "\(path.dropLast())[\(index)]." }
            return "\(path)\(key.stringValue)."
        }
    }
}
