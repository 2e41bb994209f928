// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// Metadata of a partial download, stored as JSON next to the part file.
struct DownloadRecord: Sendable, Equatable, Codable {
    /// The version of the format.
    private(set) var version = 1
    /// The SHA-256 digest of the URL, which may contain secrets.
    var url: String
    /// The strong `ETag`, or `nil`.
    private var entityTag: String?
    /// The `Last-Modified`, if it is a strong validator.
    private var lastModified: String?
    /// The number of bytes of the whole content; `nil` if it is unknown.
    var total: Int?
    /// The number of bytes that were flushed to the disk.
    var length = 0
    /// The encoded state of the digest computation at this length; `nil` if the digest is not computed.
    var hash: Data?
    /// The digest of the whole content that the server has sent; `nil` without one.
    var digest: Data?
    /// The name of the file in the folder that is the target; `nil` if the caller has named it.
    var name: String?

    init(url: String) {
        self.url = url
    }

    var validator: ContentValidator? {
        get { entityTag.map { .entityTag($0) } ?? lastModified.map { .lastModified($0) } }
        set {
            (entityTag, lastModified) = (nil, nil)
            switch newValue {
            case .entityTag(let text): entityTag = text
            case .lastModified(let text): lastModified = text
            case nil: break
            }
        }
    }

    /// The point from which the rest can be requested; `nil` if there is no part, or no validator.
    func point(length: Int) -> ResumePoint? {
        guard length > 0, let validator else { return nil }
        return ResumePoint(length: length, validator: validator, total: total)
    }

    static func key(of target: TargetURI?) -> String {
        SHA256.hash(Array((target?.string ?? "").utf8)).hexadecimal
    }
}

extension DownloadRecord {
    /// The largest file that is read as a record.
    static let maximumSize = 64 << 10

    var encoded: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
    }

    /// Reads a record; `nil` if it is missing, damaged, or of another version.
    static func read(_ path: String) -> DownloadRecord? {
        guard let data = try? FileContent.read(path, as: .regularWithoutLink(maximum: maximumSize)),
            let record = try? JSONDecoder().decode(DownloadRecord.self, from: data),
            record.version == 1, record.length >= 0
        else { return nil }
        return record
    }
}

/// The part of the content that is on the disk when the rest is requested.
struct ResumePoint: Sendable, Hashable {
    /// The number of bytes.
    let length: Int
    let validator: ContentValidator
    /// The number of bytes of the whole content; `nil` if it is unknown.
    let total: Int?
}
