// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import SwiftyTransport

/// A charset that the system's `iconv` knows.
struct SystemDecoder: CharacterDecoder {
    private let converter: Converter

    /// - Throws: ``SwiftyError/Code/decodingFailed`` if the system does not know the name.
    init(_ name: String) throws(SwiftyError) {
        guard let converter = Converter(name) else {
            throw TextDecoding.malformed("the charset \"\(Redaction.oneLine(name))\" of the text is not known")
        }
        self.converter = converter
    }

    func decode(_ bytes: Data, into text: inout Data) throws(SwiftyError) -> Int {
        var input = [CChar](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            count = bytes.copyBytes(to: UnsafeMutableRawBufferPointer(buffer))
        }
        guard let count = converter.convert(&input, into: &text) else {
            throw TextDecoding.malformed("the text is not \(converter.name)")
        }
        return count
    }

    /// A descriptor of `iconv`, which holds the shift state of a stateful charset.
    private final class Converter {
        let name: String
        // Safety: opened and closed by this object, which one decoder uses.
        private let descriptor: iconv_t

        /// Returns `nil` for a name that the system does not know, and for one with an option, as in `UTF-8//IGNORE`:
        /// it comes from the network.
        init?(_ name: String) {
            let isName = name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_.:".utf8.contains($0) }
            // UTF-7 hides markup from filters.
            guard isName, (1...64).contains(name.utf8.count), !["utf-7", "utf7"].contains(name.lowercased())
            else { return nil }
            guard let descriptor = iconv_open("UTF-8", name), Int(bitPattern: descriptor) != -1 else { return nil }
            (self.name, self.descriptor) = (name, descriptor)
        }

        deinit {
            iconv_close(descriptor)
        }

        /// Appends the complete characters. Returns the number of their bytes; `nil` if they are not text.
        func convert(_ input: inout [CChar], into text: inout Data) -> Int? {
            let size = input.count
            return input.withUnsafeMutableBufferPointer { input in
                var (next, left) = (input.baseAddress, size)
                while left > 0 {
                    var output = [CChar](repeating: 0, count: 4 << 10)
                    let (result, number, written) = output.withUnsafeMutableBufferPointer { output in
                        var (end, room) = (output.baseAddress, output.count)
                        let result = iconv(descriptor, &next, &left, &end, &room)
                        return (result, errno, output.count - room)
                    }
                    output.withUnsafeBytes { text.append(contentsOf: $0.prefix(written)) }
                    // EINVAL: the input ends within a character.
                    if result != -1 || number == EINVAL { break }
                    guard number == E2BIG else { return nil }
                }
                return size - left
            }
        }
    }
}
