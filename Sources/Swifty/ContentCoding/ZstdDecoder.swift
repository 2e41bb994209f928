// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Zstd
import CZstd

/// Decodes `zstd`, frame after frame (RFC 8878).
final class ZstdDecoder: BufferDecoder {
    /// The largest window that content on the web may need: 8 MiB (RFC 9659 §3).
    private static let windowLog: Int32 = 23

    // Safety: made by libzstd, used only here, freed with this object.
    private let context: OpaquePointer
    private(set) var isComplete = false

    /// Returns `nil` if allocation fails.
    init?() {
        guard let context = ZSTD_createDCtx() else { return nil }
        self.context = context
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowLog)
    }

    deinit {
        ZSTD_freeDCtx(context)
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(SwiftyError) -> Int {
        // Called without input, libzstd would begin another frame.
        if isComplete, input.isEmpty { return 0 }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let hint = ZSTD_decompressStream(context, &target, &source)
        if ZSTD_isError(hint) != 0 { throw isComplete ? .trailingBytes : .damaged }
        isComplete = hint == 0
        input.keepLast(input.count - source.pos)
        return target.pos
    }
}
#endif
