// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension TransportSettings {
    /// How long connections live, and which version of HTTP they speak.
    public struct Connections: Sendable, Hashable {
        /// Which version of HTTP is spoken.
        public enum Version: Sendable, Hashable {
            /// HTTP/2 over TLS where the server offers it, else HTTP/1.1.
            case automatic
            /// HTTP/1.1 alone.
            case http1_1
            /// HTTP/2 alone; only over TLS. A server that does not offer it fails the load with
            /// ``SwiftyError/Code/versionUnavailable`` before it sees the request, as does an `http` URL.
            case http2
        }

        /// Which version of HTTP is spoken.
        public var version = Version.automatic
        /// How long a connection may be idle and still be used again; zero, or less, for no connection to be used twice.
        ///
        /// In whole seconds, rounded up to one and else down. A connection may be used until the next second begins.
        public var maximumIdleTime = Duration.seconds(118)
        /// How old a connection may be and still be used again; `nil` for any age, zero for none. In whole seconds, as
        /// ``maximumIdleTime``.
        public var maximumAge: Duration?
        /// Content larger than so many bytes is sent when the server has asked for it (`Expect: 100-continue`, RFC 9110
        /// §10.1.1), or has said nothing for a second; `nil` never waits.
        ///
        /// A server that refuses the request by its head alone does not get the content. Applies where HTTP/1.1 is sure to be
        /// spoken: `http` URLs, and ``version`` `.http1_1`. An HTTP/2 stream can be ended at no such cost.
        public var expectContinueThreshold: Int? = 1 << 20

        /// Makes the default settings.
        public init() {}
    }
}
