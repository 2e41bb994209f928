// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

// The lock belongs to the file, and its path may lead to another one by now: a cleaner has removed the file, and
// another process has made its own. So a file is renamed by its descriptor, and no path is removed unchecked.
extension LockedFile {
    /// The suffix of the temporary name of a file that replaces another.
    private static let interimSuffix = ".done"

    /// Whether the path still leads to this file.
    package var isStillAtPath: Bool { FileBytes.isSame(descriptor, path) }

    /// Checks that the path still leads to this file.
    ///
    /// - Throws: ``FileFailure``.
    package func checkPath() throws(FileFailure) {
        if !isStillAtPath { throw Self.replaced }
    }

    /// Renames the file, and replaces a file of that name. A symbolic link of that name is replaced, and not followed.
    ///
    /// - Parameter prepare: Called before the current name is removed, while no other process can take it.
    /// - Throws: ``FileFailure``, including if the path no longer leads to this file.
    package func move(replacing target: String, _ prepare: () -> Void = {}) throws(FileFailure) {
        try checkPath()
        guard let interim = try linkInterim() else {
            return try movePath(to: target, isNew: false, prepare)
        }
        let isRenamed = rename(interim, target) == 0
        let number = errno
        // The interim name remains if `rename` failed, and if both names were of the same file.
        if FileBytes.isSame(descriptor, interim) { FilePlace.remove(interim) }
        if !isRenamed { throw FileFailure(errorNumber: number) }
        endName(prepare)
        FilePlace.synchronizeFolder(of: target)
    }

    /// Renames the file, unless there is a file of that name.
    ///
    /// - Parameter prepare: Called before the current name is removed, while no other process can take it.
    /// - Throws: ``FileFailure``, of the kind `exists` if there is one; of another if the path no longer leads to this
    ///   file.
    package func move(toNew target: String, _ prepare: () -> Void = {}) throws(FileFailure) {
        try checkPath()
        guard try link(to: target) else { return try movePath(to: target, isNew: true, prepare) }
        endName(prepare)
        FilePlace.synchronizeFolder(of: target)
    }

    /// Removes the file's name, unless another file has it by now.
    package func removeName() {
        if isStillAtPath { FilePlace.remove(path) }
    }

    private func endName(_ prepare: () -> Void) {
        guard isStillAtPath else { return }
        prepare()
        removeName()
    }

    private static let replaced = FileFailure("its part was removed or replaced during the download")

    /// Renames by path, where the file cannot be linked by its descriptor: the path may have changed since the check.
    private func movePath(to target: String, isNew: Bool, _ prepare: () -> Void) throws(FileFailure) {
        if isNew {
            try FilePlace.move(path, toNew: target)
        } else {
            try FilePlace.move(path, replacing: target)
        }
        if !FileBytes.isSame(descriptor, target) { throw Self.replaced }
        prepare()
    }
}

// MARK: Links

extension LockedFile {
    /// Adds a second name to the file (a hard link); `nil` if the system cannot do that.
    ///
    /// The name is always the same, so that a process that is killed now leaves at most one, and
    /// ``make(at:movingTo:)`` removes that.
    private func linkInterim() throws(FileFailure) -> String? {
        let interim = path + Self.interimSuffix
        do throws(FileFailure) {
            return try link(to: interim) ? interim : nil
        } catch {
            guard error.kind == .exists else { throw error }
        }
        if FileBytes.isSame(descriptor, interim) { return interim }
        // Another file has that name, and may be in use.
        let other = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36))\(Self.interimSuffix)"
        return try link(to: other) ? other : nil
    }

    /// Adds a second name to the file, whatever its path leads to by now.
    ///
    /// - Returns: `false` if the system cannot do that: Linux can with `/proc`, on file systems with hard links.
    /// - Throws: ``FileFailure``, of the kind `exists` if there is a file of that name.
    private func link(to name: String) throws(FileFailure) -> Bool {
        #if canImport(Darwin)
        return false
        #else
        if linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 { return true }
        let number = errno
        // The file has lost its only name.
        if number == ENOENT, !isStillAtPath { throw Self.replaced }
        if [ENOENT, EPERM, EACCES, ENOTSUP, ENOSYS, EMLINK, EXDEV].contains(number) { return false }
        throw FileFailure(errorNumber: number)
        #endif
    }

    /// Whether the file is complete and at its target, where a killed process has left it. Removes an interim name that
    /// a killed process has left.
    ///
    /// - Throws: ``FileFailure`` if the file has a further name: another user may have linked it here.
    func isComplete(at target: String?) throws(FileFailure) -> Bool {
        if linkCount <= 1 { return false }
        let interim = path + Self.interimSuffix
        if FileBytes.isSame(descriptor, interim) { FilePlace.remove(interim) }
        if linkCount <= 1 { return false }
        if linkCount == 2, let target, FileBytes.isSame(descriptor, target) { return true }
        throw FileFailure("it has another name")
    }

    private var linkCount: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_nlink) : 0
    }
}
