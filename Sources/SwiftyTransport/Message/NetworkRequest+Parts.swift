// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

extension NetworkRequest {
    /// How long a load, or a phase of its transfer, may take. `nil` means without limit.
    ///
    /// A phase that takes too long ends the load with ``SwiftyError/Code/timedOut``, and the error's stage names the phase.
    public struct Timeouts: Sendable, Hashable {
        /// The whole call: from `load` to its completion, everything included.
        public var total: Duration?
        /// One attempt of a call that may make several: its interceptors, redirects and challenges, up to the end of the response's
        /// content. Its wait for admission does not count. Transports do not look at it.
        public var attempt: Duration?
        /// From the start of the transfer until the connection is ready: name lookup, TCP and TLS.
        public var connect: Duration?
        /// From the ready connection until the first byte of the response.
        public var firstByte: Duration?
        /// The longest silence on the connection, in either direction, once it is ready.
        public var idle: Duration?

        /// Makes a set of limits.
        public init(
            total: Duration? = nil,
            attempt: Duration? = nil,
            connect: Duration? = nil,
            firstByte: Duration? = nil,
            idle: Duration? = nil
        ) {
            self.total = total
            self.attempt = attempt
            self.connect = connect
            self.firstByte = firstByte
            self.idle = idle
        }

        /// These limits, and where they have none, those of `other`.
        public func merging(_ other: Timeouts) -> Timeouts {
            Timeouts(
                total: total ?? other.total,
                attempt: attempt ?? other.attempt,
                connect: connect ?? other.connect,
                firstByte: firstByte ?? other.firstByte,
                idle: idle ?? other.idle
            )
        }
    }
}

extension NetworkRequest {
    /// How urgent a request is among those that wait to be sent.
    public enum Priority: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// May wait for everything else: prefetching, telemetry.
        case veryLow
        /// Below the usual.
        case low
        /// The default.
        case normal
        /// Somebody waits for it.
        case high
        /// Goes before everything else.
        case veryHigh

        /// Orders by urgency: `.low < .high`.
        public static func < (lhs: Priority, rhs: Priority) -> Bool {
            lhs.rawValue < rhs.rawValue
        }
    }
}

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

extension NetworkRequest {
    /// What an error or a log line says about a request: nothing secret.
    public struct Summary: Sendable, Hashable, CustomStringConvertible {
        /// The request method.
        public let method: String
        /// The target URI, with the values of secret-looking query parameters replaced.
        public let url: String
        /// The path as its author wrote it, with its variables unfilled.
        public let template: String?
        /// The name that the author gave the request.
        public let name: String?

        /// Summarizes a request.
        public init(_ request: NetworkRequest) {
            self.init(
                method: request.method.rawValue,
                url: Redaction.redact(request.target),
                template: request.template,
                name: request.name
            )
        }

        /// Summarizes a request whose parts are known and hold nothing secret.
        public init(method: String, url: String, template: String? = nil, name: String? = nil) {
            self.method = method
            self.url = url
            self.template = template
            self.name = name
        }

        /// Method and URL, as in `GET https://example.com/ip`; the method alone if there is no URL.
        public var description: String { url.isEmpty ? method : "\(method) \(url)" }
    }
}
