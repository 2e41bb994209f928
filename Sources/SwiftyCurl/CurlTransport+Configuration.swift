// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

extension CurlTransport {
    /// How a ``CurlTransport`` is set up. TLS verification is not part of it: it is always on.
    public struct Configuration: Sendable, Hashable {
        /// The number of loops, each with a thread, at least 1.
        ///
        /// All requests to one host go to the same loop, because a connection belongs to its loop. More than one helps
        /// when many hosts are called and one thread is fully busy.
        public var loops = 1
        /// How many idle connections each loop keeps for later requests.
        public var maximumIdleConnections = 256
        /// How many requests share one HTTP/2 connection at most. The server may set a lower limit.
        public var maximumConcurrentStreams = 100
        /// A file in PEM form with the certificates of the authorities that are trusted instead of the system's.
        ///
        /// By default the file that the environment variable `SSL_CERT_FILE` names, else `nil`: the system's.
        public var certificateAuthorityFile: String?
        /// A folder of authorities' certificates, prepared by `openssl rehash`, to be trusted as well.
        public var certificateAuthorityFolder: String?
        /// The largest content, in bytes, that a response may have. A larger one ends the transfer with
        /// ``/SwiftyTransport/SwiftyError/Code/responseTooLarge``.
        public var responseBodyLimit = 32 << 20
        /// How many bytes status lines, header fields and trailers of a response may have together.
        public var responseHeadLimit = 256 << 10
        /// Addresses to be used instead of name lookups, each in the form `HOST:PORT:ADDRESS` of `CURLOPT_RESOLVE`.
        public var resolve: [String] = []
        /// The `User-Agent` of requests that set none; `nil` sends none.
        public var userAgent: String? = Self.defaultUserAgent

        /// Makes the default configuration.
        public init() {
            certificateAuthorityFile = Self.certificateFileOfEnvironment
        }

        private static var certificateFileOfEnvironment: String? {
            guard let value = ccurl_environment("SSL_CERT_FILE") else { return nil }
            let path = String(cString: value)
            return path.isEmpty ? nil : path
        }

        private static let defaultUserAgent: String = {
            guard let info = curl_version_info(CURLVERSION_FIRST), let version = info.pointee.version else {
                return "Swifty/0.1 libcurl"
            }
            return "Swifty/0.1 libcurl/\(String(cString: version))"
        }()
    }
}
