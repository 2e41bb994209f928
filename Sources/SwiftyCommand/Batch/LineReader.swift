// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SwiftySupport

/// Reads the lines of a file in sequence and on demand, on a queue that may block.
// Safety: the state is used only on the serial queue.
final class LineReader: @unchecked Sendable {
    private let queue = DispatchQueue(label: "swifty.lines")
    private let file: UnsafeMutablePointer<FILE>
    private var number = 0
    private var code: Int32?

    /// `nil` if the file cannot be opened.
    ///
    /// - Parameter path: The path, or `-` for standard input.
    init?(path: String) {
        guard let file = fopen(path == "-" ? "/dev/stdin" : path, "r") else { return nil }
        self.file = file
    }

    deinit {
        fclose(file)
    }

    /// The next line that is not blank, with its number from 1; `nil` at the end. The text of one that is not UTF-8 is
    /// `nil`.
    func next() async -> (number: Int, text: String?)? {
        await queue.value { self.read() }
    }

    /// The reason why reading failed before the end of the file; `nil` if it did not.
    func failure() async -> String? {
        await queue.value { self.code.map { String(cString: strerror($0)) } }
    }

    private func read() -> (number: Int, text: String?)? {
        while let bytes = readOne() {
            number += 1
            guard let line = String(validating: bytes, as: UTF8.self) else { return (number, nil) }
            let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
            if !text.isEmpty { return (number, text) }
        }
        return nil
    }

    private func readOne() -> [UInt8]? {
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(buffer) }
        let count = getline(&buffer, &capacity, file)
        guard count > 0, let buffer else {
            let number = errno
            if ferror(file) != 0, code == nil { code = number }
            return nil
        }
        return Array(UnsafeRawBufferPointer(start: buffer, count: count))
    }
}
