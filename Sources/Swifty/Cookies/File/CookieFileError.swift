// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

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
