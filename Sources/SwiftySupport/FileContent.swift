// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Reads whole files. It blocks its thread.
package struct FileContent: ~Copyable {
    /// The kind of files that are accepted.
    package enum Kind {
        /// Anything with an end, including pipes and devices.
        case any
        /// A regular file of at most `maximum` bytes.
        case regular(maximum: Int)
        /// As `regular`, but not through a symbolic link.
        case regularWithoutLink(maximum: Int)
    }

    private let kind: Kind
    private let descriptor: Int32
    private let size: Int

    /// The content of a file.
    package static func read(_ path: String, as kind: Kind = .any) throws(FileFailure) -> Data {
        try FileContent(path, kind).readAll()
    }

    /// The first bytes of a file.
    package static func read(_ path: String, as kind: Kind, atMost count: Int) throws(FileFailure) -> Data {
        try FileContent(path, kind).readBeginning(count)
    }

    /// The error of opening a regular file; `nil` if it can be read.
    package static func error(reading path: String) -> FileFailure? {
        do throws(FileFailure) {
            _ = try FileContent(path, .regular(maximum: .max))
            return nil
        } catch {
            return error
        }
    }

    private init(_ path: String, _ kind: Kind) throws(FileFailure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | kind.openFlags)
        if descriptor < 0 { throw kind.failure(toOpen: errno) }
        do throws(FileFailure) {
            size = try kind.size(of: descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.kind = kind
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    private func readBeginning(_ count: Int) throws(FileFailure) -> Data {
        var data = Data(count: count)
        var filled = 0
        while filled < data.count {
            let count = data.withUnsafeMutableBytes { bytes in
                FileBytes.take(into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]), from: descriptor)
            }
            if count < 0, errno != EINTR { throw FileFailure(reading: errno) }
            if count == 0 { break }
            filled += max(count, 0)
        }
        return data.prefix(filled)
    }

    /// Reads into one byte more than the size of the file, so that its end is found without growing the buffer.
    private func readAll() throws(FileFailure) -> Data {
        var data = Data(count: size + 1)
        var filled = 0
        while true {
            if filled == data.count { data.count += max(filled, 64 << 10) }
            let count = data.withUnsafeMutableBytes { bytes in
                FileBytes.take(into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]), from: descriptor)
            }
            if count < 0, errno != EINTR { throw FileFailure(reading: errno) }
            if count == 0 { break }
            filled += max(count, 0)
            try kind.check(filled)
        }
        data.count = filled
        return data
    }
}

extension FileContent.Kind {
    /// Without `O_NONBLOCK`, opening a named pipe waits for a writer.
    fileprivate var openFlags: Int32 {
        switch self {
        case .any: 0
        case .regular: O_NONBLOCK
        case .regularWithoutLink: O_NONBLOCK | O_NOFOLLOW
        }
    }

    fileprivate func failure(toOpen number: Int32) -> FileFailure {
        if case .regularWithoutLink = self, number == ELOOP { return FileFailure("it is a symbolic link") }
        return FileFailure(reading: number)
    }

    /// The size of a regular file; 0 for anything else.
    fileprivate func size(of descriptor: Int32) throws(FileFailure) -> Int {
        var status = stat()
        if fstat(descriptor, &status) != 0 { throw FileFailure(reading: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw FileFailure(reading: EISDIR)
        case S_IFREG: break
        default: if maximum != nil { throw FileFailure("it is not a regular file") } else { return 0 }
        }
        let size = max(0, Int(status.st_size))
        try check(size)
        return size
    }

    fileprivate func check(_ size: Int) throws(FileFailure) {
        guard let maximum, size > maximum else { return }
        throw FileFailure("it is larger than \(maximum >> 20) MiB")
    }

    private var maximum: Int? {
        switch self {
        case .any: nil
        case .regular(let maximum), .regularWithoutLink(let maximum): maximum
        }
    }
}
