// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// An open file, which is read part by part and closed with the last reference to it. It blocks its thread.
package final class ReadableFile: Sendable {
    /// The state of a file that changes when its content does.
    package struct Identity: Sendable, Equatable {
        package let size: Int
        private let device: UInt64
        private let number: UInt64
        private let seconds: Int
        private let nanoseconds: Int

        fileprivate init(_ status: stat) {
            size = max(0, Int(status.st_size))
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
            #if canImport(Darwin)
            let modified = status.st_mtimespec
            #else
            let modified = status.st_mtim
            #endif
            (seconds, nanoseconds) = (Int(modified.tv_sec), Int(modified.tv_nsec))
        }
    }

    /// The state of the file when it was opened.
    package let identity: Identity
    /// Whether the content has a length: the file is regular, and not one that the system generates while it is read,
    /// as in `/proc`.
    package let hasLength: Bool
    private let descriptor: Int32

    /// Opens a file. Opening a named pipe waits for a writer.
    package init(_ path: String) throws(FileFailure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw FileFailure(reading: errno) }
        var status = stat()
        let failure = fstat(descriptor, &status) == 0 ? 0 : errno
        let kind = status.st_mode & S_IFMT
        if failure != 0 || kind == S_IFDIR {
            close(descriptor)
            throw FileFailure(reading: failure == 0 ? EISDIR : failure)
        }
        var byte: UInt8 = 0
        identity = Identity(status)
        hasLength = kind == S_IFREG && (status.st_size > 0 || pread(descriptor, &byte, 1, 0) == 0)
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Whether a path leads to a named pipe, a socket or a device, where opening and reading may block for a long time.
    package static func mayWait(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG
    }

    /// The state of the file now.
    package func currentIdentity() throws(FileFailure) -> Identity {
        var status = stat()
        if fstat(descriptor, &status) != 0 { throw FileFailure(reading: errno) }
        return Identity(status)
    }

    /// Reads `count` bytes at an offset; fewer only at the end of the file.
    ///
    /// - Parameter buffers: Those that hold the bytes, if these fill at least half of one.
    package func read(_ count: Int, at offset: Int, into buffers: ReadBuffers? = nil) throws(FileFailure) -> Data {
        try read(count, into: buffers) { place, room, filled in
            pread(descriptor, place, room, off_t(offset + filled))
        }
    }

    /// Reads the available bytes, at most `count`, waiting for the first one; empty at the end.
    ///
    /// - Parameter isCancelled: Called ten times a second while no bytes are available.
    /// - Returns: `nil` if the wait was cancelled.
    package func readNext(_ count: Int, isCancelled: () -> Bool) throws(FileFailure) -> Data? {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            if isCancelled() { return nil }
            let result = poll(&poller, 1, 100)
            if result > 0 { break }
            if result < 0, errno != EINTR, errno != EAGAIN { throw FileFailure(reading: errno) }
        }
        // Only one successful call: a second one could block.
        return try read(count) { place, room, filled in
            if filled > 0 { return 0 }
            let room = UnsafeMutableRawBufferPointer(start: place, count: room)
            return FileBytes.take(into: room, from: descriptor)
        }
    }

    /// Fills a buffer with several system calls, until it is full or one of them returns zero.
    ///
    /// - Parameter call: One system call. Its arguments: the address, the room there, and the number of bytes read
    ///   before.
    private func read(
        _ count: Int,
        into buffers: ReadBuffers? = nil,
        _ call: (UnsafeMutableRawPointer, Int, Int) -> Int
    ) throws(FileFailure) -> Data {
        // A few bytes must not hold a whole buffer.
        let buffers = buffers.flatMap { $0.size / 2...$0.size ~= count ? $0 : nil }
        guard count > 0, let place = buffers?.take() ?? malloc(count) else { return Data() }
        // Safety: the buffer is only written here, within its size, and given back once, by `Data` or below.
        var filled = 0
        while filled < count {
            let result = call(place + filled, count - filled, filled)
            if result < 0, errno == EINTR { continue }
            if result < 0 {
                let number = errno
                if let buffers { buffers.giveBack(place) } else { free(place) }
                throw FileFailure(reading: number)
            }
            if result == 0 { break }
            filled += result
        }
        guard let buffers else { return Data(bytesNoCopy: place, count: filled, deallocator: .free) }
        return Data(bytesNoCopy: place, count: filled, deallocator: .custom { place, _ in buffers.giveBack(place) })
    }
}
