// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Brotli
import CBrotli

/// Decodes `br` (RFC 7932).
final class BrotliDecoder: BufferDecoder {
    // Safety: made by libbrotli, used only here, freed with this object.
    private let state: OpaquePointer
    private(set) var isComplete = false

    /// Returns `nil` if allocation fails.
    init?() {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
        self.state = state
    }

    deinit {
        BrotliDecoderDestroyInstance(state)
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(SwiftyError) -> Int {
        if isComplete {
            guard input.isEmpty else { throw .trailingBytes }
            return 0
        }
        var (available, room) = (input.count, output.count)
        var next = input.bindMemory(to: UInt8.self).baseAddress
        var target = output.bindMemory(to: UInt8.self).baseAddress
        let result = BrotliDecoderDecompressStream(state, &available, &next, &room, &target, nil)
        input.keepLast(available)
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS: isComplete = true
        case BROTLI_DECODER_RESULT_ERROR: throw .damaged
        default: break
        }
        return output.count - room
    }
}
#endif
