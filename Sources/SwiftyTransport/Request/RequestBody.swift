// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

extension NetworkRequest {
    /// The content of a request, ready to be sent and able to be sent again.
    public struct Body: Sendable, Hashable {
        /// The bytes.
        public let bytes: Data

        /// The number of bytes.
        public var count: Int { bytes.count }

        /// Makes a body of bytes that are in memory.
        public init(_ bytes: Data) {
            self.bytes = bytes
        }
    }
}
