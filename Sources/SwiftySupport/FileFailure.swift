// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The error of a file that cannot be written.
package struct FileFailure: Error, Equatable {
    /// The kind of the failure.
    package enum Kind: Sendable {
        /// Another descriptor holds the lock.
        case inUse
        /// The disk is full, or the user's quota or the largest size of a file is reached.
        case noSpace
        /// There is such a file already.
        case exists
        /// The content has more bytes than the caller allows.
        case tooLarge
        /// Anything else.
        case unwritable
    }

    package let kind: Kind
    /// The system's error number; `nil` if the system reported none.
    package let errorNumber: Int32?
    /// The reason, as a sentence to follow "the file cannot be written:".
    package let reason: String

    /// The error numbers of an existing file and of a full disk.
    package static let (exists, noSpace) = (EEXIST, ENOSPC)

    /// Makes an error from the system's error number.
    package init(errorNumber: Int32) {
        self.errorNumber = errorNumber
        reason = Self.words(errorNumber)
        kind =
            switch errorNumber {
            case EWOULDBLOCK: .inUse
            case ENOSPC, EDQUOT, EFBIG: .noSpace
            case EEXIST: .exists
            default: .unwritable
            }
    }

    /// Makes an error of a file that is unwritable for a given reason.
    package init(_ reason: String) {
        self.reason = reason
        kind = .unwritable
        errorNumber = nil
    }

    /// Makes an error of content that is larger than the caller allows.
    package init(over limit: Int) {
        reason = "its content exceeds \(limit) bytes, the limit"
        kind = .tooLarge
        errorNumber = nil
    }

    private static func words(_ errorNumber: Int32) -> String {
        switch errorNumber {
        case ENOENT: "its folder does not exist"
        case ENOTDIR: "a part of its path is not a folder"
        case ELOOP: "it is a symbolic link"
        case EISDIR: "it is a folder"
        case EACCES, EPERM: "permission is denied"
        case EWOULDBLOCK: "another download writes to it"
        case EMFILE, ENFILE: "too many files are open"
        default: String(cString: strerror(errorNumber))
        }
    }
}
