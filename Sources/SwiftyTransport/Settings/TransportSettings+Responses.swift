// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension TransportSettings {
    /// The rules and limits for responses.
    public struct Responses: Sendable, Hashable {
        /// The treatment of responses that violate HTTP.
        public enum Strictness: Sendable, Hashable {
            /// They fail the load, and their connection is closed.
            case strict
            /// Violations that most clients accept are accepted, although an intermediary may interpret them
            /// differently. The connection is closed after the response, so that such a difference affects no later
            /// request.
            ///
            /// Accepted, and refused by ``strict``:
            /// - a bare CR within a line, which becomes a space (RFC 9112 §2.2);
            /// - spaces between a field's name and its colon, if the field does not frame the response (§5.1);
            /// - `Content-Length: 3, 3`, the same number as a list (§6.3);
            /// - `Content-Length` together with `Transfer-Encoding: chunked`, which then counts (§6.3);
            /// - `Transfer-Encoding: identity`, which is no longer a coding (§7);
            /// - `Transfer-Encoding: chunked` in an HTTP/1.0 response (§6.1);
            /// - in the framing of chunks: a bare LF as the end of a line, white space after the size, and extensions
            ///   that violate the grammar (§7.1);
            /// - over TLS, content that ends with the connection, without `close_notify` (§9.8). It is then not proven
            ///   to be complete: ``TransferMetrics/isCompletenessProven``.
            ///
            /// Refused by both, because no interpretation is safe: a head that is cut off,
            /// content shorter than announced, NUL, a line without a colon, a field name that is not a token, different
            /// or malformed lengths, chunk sizes followed by anything but an extension, other transfer codings, a
            /// framing field that is folded or has spaces before its colon, 101, HTTP/0.9, and everything beyond a
            /// limit.
            case lenient
        }

        /// The treatment of responses that violate HTTP.
        public var strictness = Strictness.strict
        /// The largest content, in bytes. Larger content ends the transfer with ``SwiftyError/Code/responseTooLarge``.
        public var contentLimit = 32 << 20
        /// The total size of status lines, header fields and trailers, in bytes.
        ///
        /// The framing of chunks (their sizes and extensions) may have this many bytes, and 16 more for each byte of
        /// content.
        public var headLimit = 256 << 10
        /// The number of fields of a response, including its informational responses and trailers: 60,000 at most.
        public var fieldCountLimit = 2_000 {
            // HTTPTypes traps when a collection gets its 65,536th field.
            didSet { fieldCountLimit = min(fieldCountLimit, 60_000) }
        }
        /// The size of the trailers alone, in bytes.
        public var trailerLimit = 32 << 10
        /// The number of informational (1xx) responses before the final one.
        public var informationalLimit = 32

        /// Makes the default rules: strict; 32 MiB of content; 256 KiB and 2,000 fields, with 32 KiB of trailers; 32
        /// informational responses.
        public init() {}
    }
}
