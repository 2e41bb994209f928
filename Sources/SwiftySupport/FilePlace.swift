// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Queries about file system entries, and changes of their names. All functions block their thread.
package enum FilePlace {
    /// The kind of a file system entry.
    package enum Occupant: Sendable, Equatable {
        case nothing
        case regularFile
        case folder
        /// A symbolic link to anything but a folder.
        case link
        /// A device, a pipe or a socket.
        case other
    }

    /// The kind of the file system entry at a path.
    ///
    /// - Throws: ``FileFailure`` if it cannot be determined, because a part of the path is not a folder, for example.
    package static func occupant(of path: String) throws(FileFailure) -> Occupant {
        var status = stat()
        if lstat(path, &status) != 0 {
            if errno == ENOENT { return .nothing }
            throw FileFailure(errorNumber: errno)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .regularFile
        case S_IFDIR: return .folder
        case S_IFLNK: return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR ? .folder : .link
        default: return .other
        }
    }

    /// The size of a regular file, and the time of its last change in seconds since 1970; `nil` for anything else.
    package static func regularFile(at path: String) -> (size: Int, modified: Double)? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        return (Int(status.st_size), Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    /// The path from the root, for a file that is opened later: until then the process may change its current folder.
    ///
    /// Unchanged if it is absolute or empty, and if there is no current folder.
    package static func absolute(_ path: String) -> String {
        if path.isEmpty || path.hasPrefix("/") { return path }
        let folder = FileManager.default.currentDirectoryPath
        if folder.isEmpty { return path }
        return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    /// The folder of a path, and the name in it.
    package static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.utf8.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    /// Checks that files can be created in a folder.
    ///
    /// - Throws: ``FileFailure`` if it does not exist or is not writable.
    package static func checkFolder(_ path: String) throws(FileFailure) {
        var status = stat()
        if stat(path, &status) != 0 { throw FileFailure(errorNumber: errno) }
        if status.st_mode & S_IFMT != S_IFDIR { throw FileFailure(errorNumber: ENOTDIR) }
        if access(path, W_OK | X_OK) != 0 { throw FileFailure(errorNumber: errno) }
    }

    /// Makes a folder that only its owner can use, and the folders above it, unless it exists.
    ///
    /// - Throws: ``FileFailure`` if it cannot be made or written to, belongs to another user, or can be written by one.
    package static func makePrivateFolder(_ path: String) throws(FileFailure) {
        if mkdir(path, 0o700) != 0, errno == ENOENT {
            try makeFolder(split(path).folder)
            mkdir(path, 0o700)
        }
        try checkFolder(path)
        var status = stat()
        if stat(path, &status) != 0 { throw FileFailure(errorNumber: errno) }
        if status.st_uid != geteuid() { throw FileFailure("it belongs to another user") }
        if status.st_mode & (S_IWGRP | S_IWOTH) != 0 { throw FileFailure("other users may write to it") }
    }

    private static func makeFolder(_ path: String) throws(FileFailure) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw FileFailure("the folder above it cannot be made")
        }
    }

    /// Removes a folder; does nothing if it is not empty.
    package static func removeEmptyFolder(_ path: String) {
        rmdir(path)
    }

    /// The names in a folder, without `.` and `..`, in no order; none if there is no such folder.
    ///
    /// - Throws: ``FileFailure`` if it cannot be read, so that names may be left out.
    package static func names(in folder: String) throws(FileFailure) -> [String] {
        guard let stream = opendir(folder) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw FileFailure(reading: errno)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        if errno != 0 { throw FileFailure(reading: errno) }
        return names
    }

    /// Sets the time of a file's last change, in seconds since 1970.
    package static func touch(_ path: String, at time: Double) {
        guard let seconds = time_t(exactly: time.rounded(.down)) else { return }
        let rest = timespec(tv_sec: seconds, tv_nsec: Int((time - time.rounded(.down)) * 1e9))
        let times = [rest, rest]
        utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW)
    }

    /// The number of bytes that this user can still write to the disk of a folder; `nil` if it is unknown.
    package static func freeBytes(in folder: String) -> Int? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        let (blocks, size) = (UInt64(status.f_bavail), UInt64(status.f_frsize))
        let (bytes, overflows) = blocks.multipliedReportingOverflow(by: size)
        return overflows ? .max : Int(clamping: bytes)
    }

    /// Renames a file, and replaces a file of that name. A symbolic link of that name is replaced, and not followed.
    package static func move(_ path: String, replacing target: String) throws(FileFailure) {
        if rename(path, target) != 0 { throw FileFailure(errorNumber: errno) }
        synchronizeFolder(of: target)
    }

    /// Renames a file, unless there is a file of that name.
    ///
    /// - Throws: ``FileFailure``, of the kind `exists` if there is one.
    package static func move(_ path: String, toNew target: String) throws(FileFailure) {
        if link(path, target) == 0 {
            unlink(path)
            return synchronizeFolder(of: target)
        }
        // Some file systems have no hard links.
        guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) else { throw FileFailure(errorNumber: errno) }
        guard try occupant(of: target) == .nothing else { throw FileFailure(errorNumber: EEXIST) }
        try move(path, replacing: target)
    }

    /// Removes a name, unless there is no such file.
    ///
    /// - Throws: ``FileFailure`` if it is there still.
    package static func removeIfPresent(_ path: String) throws(FileFailure) {
        if unlink(path) != 0, errno != ENOENT, errno != ENOTDIR { throw FileFailure(errorNumber: errno) }
    }

    /// Removes a name; does nothing if there is no such file.
    package static func remove(_ path: String) {
        unlink(path)
    }

    /// Flushes the entries of a folder to the disk, if the folder can be synchronized.
    static func synchronizeFolder(of path: String) {
        let descriptor = open(split(path).folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { return }
        fsync(descriptor)
        close(descriptor)
    }
}
