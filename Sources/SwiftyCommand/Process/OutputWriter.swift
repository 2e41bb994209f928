// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SwiftySupport

/// Writes content to standard output, a device or a pipe part by part. A slow reader blocks no task's thread.
struct OutputWriter: Sendable {
    private let descriptor: Int32
    /// The path for errors; `nil` for standard output.
    private let path: String?
    private let queue = DispatchQueue(label: "swifty.output")

    static let standardOutput = OutputWriter(descriptor: STDOUT_FILENO, path: nil)

    /// Opens a device or a pipe, and waits for the reader of a named pipe.
    static func open(_ path: String) async throws(OutputError) -> OutputWriter {
        if let descriptor = descriptor(of: path) {
            return descriptor == STDOUT_FILENO ? standardOutput : OutputWriter(descriptor: descriptor, path: path)
        }
        let (descriptor, code) = await DispatchQueue(label: "swifty.output").value { () -> (Int32, Int32) in
            let descriptor = Foundation.open(path, O_WRONLY | O_CLOEXEC)
            return (descriptor, errno)
        }
        if descriptor < 0 { throw OutputError(path: path, code: code) }
        return OutputWriter(descriptor: descriptor, path: path)
    }

    func write(_ data: Data) async throws(OutputError) {
        let (descriptor, path) = (descriptor, path)
        let failure = await queue.value { Descriptor.write(data, to: descriptor) }
        if let failure { throw OutputError(path: path, code: failure) }
    }

    /// Closes what was opened.
    func close() async throws(OutputError) {
        guard let path, Self.descriptor(of: path) == nil else { return }
        let descriptor = descriptor
        let failure = await queue.value { Foundation.close(descriptor) == 0 ? nil : errno }
        if let failure { throw OutputError(path: path, code: failure) }
    }

    static func isStandardOutput(_ path: String) -> Bool { descriptor(of: path) == STDOUT_FILENO }

    /// The descriptor of this process that a path stands for; `nil` for any other path.
    static func descriptor(of path: String) -> Int32? {
        switch path {
        case "-", "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
            return folder.flatMap { Int32(path.dropFirst($0.count)) }
        }
    }
}
