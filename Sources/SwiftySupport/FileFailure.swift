// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The error of a file that cannot be read or written.
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
        /// The work was cancelled.
        case cancelled
        /// Anything else.
        case other
    }

    package let kind: Kind
    /// The system's error number; `nil` if the system reported none.
    package let errorNumber: Int32?
    /// The reason, as a sentence to follow "the file cannot be written:" or "the file cannot be read:".
    package let reason: String

    /// The error numbers of an existing file and of a full disk.
    package static let (exists, noSpace) = (EEXIST, ENOSPC)

    /// Makes an error of a file that cannot be read, from the system's error number.
    package init(reading errorNumber: Int32) {
        self.errorNumber = errorNumber
        reason = errorNumber == ENOENT ? "there is no such file" : Self.words(errorNumber)
        kind = .other
    }

    /// Makes an error of a file that cannot be written, from the system's error number.
    package init(errorNumber: Int32) {
        self.errorNumber = errorNumber
        reason = Self.words(errorNumber)
        kind =
            switch errorNumber {
            case EWOULDBLOCK: .inUse
            case ENOSPC, EDQUOT, EFBIG: .noSpace
            case EEXIST: .exists
            default: .other
            }
    }

    /// Makes an error with another reason.
    package init(_ reason: String) {
        self.init(.other, reason)
    }

    /// The error of work that was cancelled.
    package static let cancelled = FileFailure(.cancelled, "the load was cancelled")

    private init(_ kind: Kind, _ reason: String) {
        (self.kind, self.reason) = (kind, reason)
        errorNumber = nil
    }

    /// Makes an error of content that is larger than the caller allows.
    package init(over limit: Int) {
        self.init(.tooLarge, "its content exceeds \(limit) bytes, the limit")
    }

    /// Whether there is no such file.
    package var isMissing: Bool { errorNumber == ENOENT }

    /// The system's error; `nil` if the system reported none.
    package var systemError: POSIXError? { errorNumber.flatMap(POSIXError.Code.init).map { POSIXError($0) } }

    private static func words(_ errorNumber: Int32) -> String {
        switch errorNumber {
        case ENOENT: "its folder does not exist"
        case ENOTDIR: "a part of its path is not a directory"
        case ELOOP: "it is a symbolic link"
        case EISDIR: "it is a directory"
        case EACCES, EPERM: "permission is denied"
        case EWOULDBLOCK: "another download writes to it"
        case EMFILE, ENFILE: "too many files are open"
        default: String(cString: strerror(errorNumber))
        }
    }
}
