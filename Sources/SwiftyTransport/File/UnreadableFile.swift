// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Why a file cannot be read.
package struct UnreadableFile: Error, Equatable {
    /// The system's number for it (`ENOENT`); `nil` if it is our own rule that the file breaks.
    package let errorNumber: Int32?
    /// A sentence to follow "the file cannot be read:".
    package let reason: String

    /// Says in words what the system means.
    package init(errorNumber: Int32) {
        self.errorNumber = errorNumber
        reason = Self.words(errorNumber)
    }

    init(_ reason: String) {
        errorNumber = nil
        self.reason = reason
    }

    /// Whether there is nothing of that name.
    package var isMissing: Bool { errorNumber == ENOENT }

    private static func words(_ errorNumber: Int32) -> String {
        switch errorNumber {
        case ENOENT: "there is no such file"
        case EACCES, EPERM: "permission is denied"
        case EISDIR: "it is a directory"
        case ENOTDIR: "a part of its path is not a directory"
        case EMFILE, ENFILE: "too many files are open"
        default: String(cString: strerror(errorNumber))
        }
    }
}
