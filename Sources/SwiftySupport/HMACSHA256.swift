// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// HMAC with SHA-256 (RFC 2104): a code that only the owners of a key can compute.
package enum HMACSHA256 {
    /// The size of a block of SHA-256. A longer key is replaced by its digest.
    private static let block = 64

    /// The code of a message, 32 bytes.
    package static func code(of message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        let short = key.count > block ? SHA256.hash(key) : key
        let padded = short + [UInt8](repeating: 0, count: block - short.count)
        let inner = SHA256.hash(padded.map { $0 ^ 0x36 } + message)
        return SHA256.hash(padded.map { $0 ^ 0x5C } + inner)
    }
}
