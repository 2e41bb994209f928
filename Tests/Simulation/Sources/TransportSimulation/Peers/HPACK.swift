// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CSimulation

/// The decoder of a connection's header compression.
final class HPACKDecoder {
    typealias Field = (name: String, value: String)

    // Safety: freed with this object.
    private let decoder: OpaquePointer

    init?() {
        guard let decoder = simulation_hpack_new() else { return nil }
        self.decoder = decoder
    }

    deinit {
        simulation_hpack_free(decoder)
    }

    /// Returns `nil` if the block is malformed.
    func decode(_ block: [UInt8]) -> [Field]? {
        var fields: [Field] = []
        let isValid = withUnsafeMutablePointer(to: &fields) { fields in
            block.withUnsafeBufferPointer { block in
                simulation_hpack_decode(
                    decoder,
                    block.baseAddress,
                    block.count,
                    { context, name, nameLength, value, valueLength in
                        let fields = context?.assumingMemoryBound(to: [Field].self)
                        fields?.pointee.append((text(name, nameLength), text(value, valueLength)))
                    },
                    fields
                )
            }
        }
        return isValid ? fields : nil
    }

    /// Encodes fields, each as literal text that no table takes (RFC 7541 §6.2.2).
    static func encode(_ fields: [Field]) -> [UInt8] {
        var block: [UInt8] = []
        for (name, value) in fields {
            block.append(0)
            block.append(UInt8(name.utf8.count))
            block.append(contentsOf: name.utf8)
            block.append(UInt8(value.utf8.count))
            block.append(contentsOf: value.utf8)
        }
        return block
    }
}

private func text(_ start: UnsafePointer<UInt8>?, _ length: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
}
