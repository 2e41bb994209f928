// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension LoopbackResponse {
    /// How a connection breaks instead of carrying the whole response.
    public enum Fault: Sendable, Equatable {
        /// The connection is closed before the response.
        case close

        /// The connection is reset before the response.
        case reset

        /// The connection is closed after the head and this many bytes of the body.
        case closeAfter(bodyBytes: Int)

        /// The connection is reset after the head and this many bytes of the body.
        case resetAfter(bodyBytes: Int)

        var resets: Bool {
            switch self {
            case .reset, .resetAfter: true
            case .close, .closeAfter: false
            }
        }

        /// How much of the body is sent; nil if not even the head is.
        var bodyBytes: Int? {
            switch self {
            case .close, .reset: nil
            case .closeAfter(let count), .resetAfter(let count): max(0, count)
            }
        }
    }

    /// The same response, with the connection breaking in it.
    ///
    /// Its delay is kept, and its header fields declare the whole body.
    public func failing(with fault: Fault) -> LoopbackResponse {
        var copy = self
        copy.fault = fault
        return copy
    }
}
