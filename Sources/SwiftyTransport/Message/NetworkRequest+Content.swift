// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

extension NetworkRequest {
    /// The content of a request.
    ///
    /// Source: RFC 9110 §6.4.
    public enum Content: Sendable {
        /// There is none.
        case none
        /// Bytes in memory, which can be sent more than once. Without any, the request has content of length 0.
        case data(Data)
        /// Content that is produced while it is sent, as that of a file.
        ///
        /// A source serves one transfer. A copy of the request for another transfer needs
        /// ``ContentSource/replayed()``.
        case source(any ContentSource)

        /// Whether there is none.
        public var isNone: Bool { if case .none = self { true } else { false } }

        /// The bytes in memory; `nil` for a source, and if there is no content.
        public var data: Data? { if case .data(let data) = self { data } else { nil } }

        /// The source; `nil` for bytes in memory, and if there is no content.
        public var source: (any ContentSource)? { if case .source(let source) = self { source } else { nil } }

        /// The number of bytes: 0 if there is no content, `nil` if a source does not know it.
        public var length: Int? {
            switch self {
            case .none: 0
            case .data(let data): data.count
            case .source(let source): source.length
            }
        }
    }
}
