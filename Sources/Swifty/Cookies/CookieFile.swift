// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

import struct Foundation.Date

/// A jar as text: the format of Netscape's `cookies.txt`, which curl and others read and write.
///
/// One cookie is a line of seven fields with tabs between them: domain, whether hosts below it count, path, whether it is
/// secure, the end in seconds since 1970 (0 for the session's), name, value. A domain starts with `#HttpOnly_` for such a
/// cookie. What the format has no field for stands in a comment in front: `# swifty created=… used=… samesite=…`.
/// A cookie that other programs would misread (without a name, or with a tab in it) is a comment too, `#Swifty_` and the line
/// with percent-encoded fields.
enum CookieFile {
    static let header = """
        # Netscape HTTP CookieJar.Cookie File
        # Written by Swifty; the lines are of secrets. https://curl.se/docs/http-cookies.html


        """

    /// More than any file has that is read here.
    static let maximumSize = 64 << 20

    /// The file's bytes; none if there is no file.
    ///
    /// - Throws: ``CookieJar/FileError``; `unreadable` for what is no regular file, a symbolic link among them.
    static func read(_ path: String) throws(CookieJar.FileError) -> [UInt8] {
        do throws(UnreadableFile) {
            return try Array(FileContent.read(path, as: .regularWithoutLink(maximum: maximumSize)))
        } catch {
            if error.isMissing { return [] }
            throw CookieJar.FileError(error, path: path)
        }
    }

    static func text(of entries: [CookieStore.Entry]) -> String {
        entries.reduce(into: header) { text, entry in
            text += "\(CookieFileNote(entry).line)\n\(CookieFileLine.text(of: entry.cookie))\n"
        }
    }

    /// What the text says, in its order.
    ///
    /// - Throws: ``CookieJar/FileError`` for the first line that is neither a comment nor a cookie.
    static func parse(_ bytes: [UInt8], path: String, now: Date) throws(CookieJar.FileError) -> [CookieStore.Entry] {
        var entries: [CookieStore.Entry] = []
        var note = CookieFileNote(created: now, used: now)
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let number = index + 1
            guard let text = String(validating: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self) else {
                throw CookieJar.FileError(.damaged(line: number), path: path, reason: "it is not UTF-8")
            }
            if let newNote = CookieFileNote(text, now: now) {
                note = newNote
            } else if !CookieFileLine.isComment(text) {
                guard let cookie = CookieFileLine.cookie(text, note) else {
                    throw CookieJar.FileError(
                        .damaged(line: number),
                        path: path,
                        reason: "it is not a line of a cookies.txt"
                    )
                }
                entries.append(CookieStore.Entry(cookie: cookie, site: "", order: 0, lastAccess: note.used))
                note = CookieFileNote(created: now, used: now)
            }
        }
        return entries
    }
}

extension CookieJar {
    /// Why a file could not be read or written: that of a ``CookieJar``, or a ``PublicSuffixList``.
    public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
        /// What happened.
        public enum Kind: Sendable, Hashable {
            /// The file is there and cannot be read: not allowed, a folder, a symbolic link.
            case unreadable
            /// What is in the file is not what it should be; the file is left as it is.
            case damaged(line: Int)
            /// The file could not be replaced; what was in it is still there.
            case unwritable
        }

        /// What happened.
        public let kind: Kind
        /// The file.
        public let path: String
        /// What is wrong, in words, without anything from the file.
        public let reason: String

        init(_ kind: Kind, path: String, reason: String) {
            self.kind = kind
            self.path = path
            self.reason = reason
        }

        init(_ error: UnreadableFile, path: String) {
            self.init(.unreadable, path: path, reason: error.reason)
        }

        /// One line that says which file failed and why.
        public var description: String {
            switch kind {
            case .unreadable: "\(path) cannot be read: \(reason)"
            case .damaged(let line): "\(path), line \(line): \(reason)"
            case .unwritable: "\(path) cannot be written: \(reason)"
            }
        }
    }
}
