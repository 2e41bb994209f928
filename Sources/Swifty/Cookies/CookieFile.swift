// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Date

/// The text of a jar, in the format of Netscape's `cookies.txt`, which curl and others read and write.
///
/// One cookie is a line of seven fields separated by tabs: domain, whether hosts below it are included, path, whether
/// the cookie is secure, the expiry in seconds since 1970 (0 for a session cookie), name, value. `#HttpOnly_` in front
/// of the domain marks an HttpOnly cookie. A comment before the line has the data that the format has no field for:
/// `# swifty created=… used=… samesite=…`. A cookie that other programs would misread (without a name, or with a tab in
/// it) is also written as a comment: `#Swifty_` and the line with percent-encoded fields.
enum CookieFile {
    static let header = """
        # Netscape HTTP Cookie File
        # Written by Swifty. The lines contain secrets. https://curl.se/docs/http-cookies.html


        """

    /// The largest file that is read, in bytes.
    static let maximumSize = 64 << 20

    /// The bytes of the file; empty if there is no file.
    ///
    /// - Throws: ``CookieJar/FileError``; `unreadable` if it is not a regular file, but a symbolic link, for example.
    static func read(_ path: String) throws(CookieJar.FileError) -> [UInt8] {
        do throws(FileFailure) {
            return try Array(FileContent.read(path, as: .regularWithoutLink(maximum: maximumSize)))
        } catch {
            if error.isMissing { return [] }
            throw CookieJar.FileError(error, path: path)
        }
    }

    static func text(of entries: [CookieStore.Entry]) -> String {
        entries.reduce(into: header) { text, entry in
            text += "\(CookieFileMetadata(entry).line)\n\(CookieFileLine.text(of: entry.cookie))\n"
        }
    }

    /// The cookies in the lines of a file, in their order.
    ///
    /// - Throws: ``CookieJar/FileError`` for the first line that is neither a comment nor a cookie.
    static func parse(_ bytes: [UInt8], path: String, now: Date) throws(CookieJar.FileError) -> [CookieStore.Entry] {
        var entries: [CookieStore.Entry] = []
        var metadata = CookieFileMetadata(created: now, used: now)
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let number = index + 1
            guard let text = String(validating: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self) else {
                throw CookieJar.FileError(.damaged(line: number), path: path, reason: "it is not UTF-8")
            }
            if let newMetadata = CookieFileMetadata(text, now: now) {
                metadata = newMetadata
            } else if !CookieFileLine.isComment(text) {
                guard let cookie = CookieFileLine.cookie(text, metadata) else {
                    throw CookieJar.FileError(
                        .damaged(line: number),
                        path: path,
                        reason: "it is not in the format of cookies.txt"
                    )
                }
                entries.append(CookieStore.Entry(cookie: cookie, site: "", order: 0, lastAccess: metadata.used))
                metadata = CookieFileMetadata(created: now, used: now)
            }
        }
        return entries
    }
}

extension CookieJar {
    /// An error in reading or writing the file of a ``CookieJar`` or a ``PublicSuffixList``.
    public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The kind of an error.
        public enum Kind: Sendable, Hashable {
            /// The file exists and cannot be read: no permission, a folder, a symbolic link.
            case unreadable
            /// The content of the file is invalid; the file is unchanged.
            case damaged(line: Int)
            /// The file could not be replaced and is unchanged.
            case unwritable
        }

        /// The kind of the error.
        public let kind: Kind
        /// The path of the file.
        public let path: String
        /// The reason in words, without content of the file.
        public let reason: String

        init(_ kind: Kind, path: String, reason: String) {
            self.kind = kind
            self.path = path
            self.reason = reason
        }

        init(_ error: FileFailure, path: String) {
            self.init(.unreadable, path: path, reason: error.reason)
        }

        /// The file and the reason, in one line.
        public var description: String {
            switch kind {
            case .unreadable: "\(path) cannot be read: \(reason)"
            case .damaged(let line): "\(path), line \(line): \(reason)"
            case .unwritable: "\(path) cannot be written: \(reason)"
            }
        }
    }
}
