// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension TransportSettings {
    /// What a response may be like.
    public struct Responses: Sendable, Hashable {
        /// What happens to responses that break HTTP's rules.
        public enum Strictness: Sendable, Hashable {
            /// They fail the load, and their connection is closed.
            case strict
            /// What most clients take is taken, though another reader on the way may understand it otherwise; the response's
            /// connection is closed after it, so that nothing that such a reader saw differently reaches a later request.
            ///
            /// Taken, and refused by ``strict``:
            /// - a bare CR within a line, which becomes a space (RFC 9112 §2.2);
            /// - spaces between a field's name and its colon, if the field does not frame the response (§5.1);
            /// - `Content-Length: 3, 3`, the same number as a list (§6.3);
            /// - `Content-Length` together with `Transfer-Encoding: chunked`, which then counts (§6.3);
            /// - `Transfer-Encoding: identity`, which is no coding any more (§7);
            /// - `Transfer-Encoding: chunked` in an HTTP/1.0 response (§6.1);
            /// - in the framing of chunks: a bare LF as the end of a line, blanks behind the size, and extensions that do not follow
            ///   the grammar (§7.1);
            /// - over TLS, content that ends with a connection which ends without `close_notify` (§9.8). It is then not proven
            ///   to be complete: ``TransferMetrics/isCompletenessProven``.
            ///
            /// Refused even so, because no reading of it is safe or libcurl has none: a head that is cut off, content shorter
            /// than announced, NUL, a line without a colon, a field name that is no token, different or malformed lengths, chunk
            /// sizes followed by anything but an extension, other transfer codings, a framing field that is folded or has spaces
            /// before its colon, 101, HTTP/0.9, and whatever exceeds a limit.
            case lenient
        }

        /// What happens to responses that break HTTP's rules.
        public var strictness = Strictness.strict
        /// How many bytes the content may have. A larger one ends the transfer with ``SwiftyError/Code/responseTooLarge``.
        public var bodyLimit = 32 << 20
        /// How many bytes status lines, header fields and trailers may have together.
        ///
        /// The framing of chunks (their sizes and extensions) may have as many, and 16 more for each byte of content.
        public var headLimit = 256 << 10
        /// How many fields a response may have, those of its informational responses and its trailers included: 60,000 at most.
        public var fieldCountLimit = 2_000 {
            // HTTPTypes traps when a collection gets its 65,536th field.
            didSet { fieldCountLimit = min(fieldCountLimit, 60_000) }
        }
        /// How many bytes the trailers alone may have.
        public var trailerLimit = 32 << 10
        /// How many informational (1xx) responses may come before the final one.
        public var informationalLimit = 32

        /// Makes the default rules: strict, 32 MiB of content, 256 KiB and 2,000 fields, 32 KiB of them trailers, 32 informational
        /// responses.
        public init() {}
    }
}
