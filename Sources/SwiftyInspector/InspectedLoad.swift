// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Date

/// A load as an ``Inspector`` keeps it, without secrets.
public struct InspectedLoad: Sendable, Encodable, Identifiable {
    /// The number of the load in its inspector, from 1.
    public internal(set) var number = 0
    /// The number of the `Swifty`, in the order in which the process has made them, from 1.
    public let instance: Int
    /// The name of the request, such as the function that describes it; `nil` for none.
    public let name: String?
    /// The path as its author wrote it, with its variables not filled in; `nil` if it has none.
    public let template: String?
    /// The tags of the request, in alphabetical order.
    public let tags: [String]
    /// The request method.
    public let method: String
    /// The URL as the request was written.
    public let url: String
    /// The time of the call of `load`.
    public let start: Date
    /// What has happened, in order; complete when there is an ``outcome``.
    public internal(set) var events: [Event] = []
    /// What the load has ended with; `nil` until then.
    public internal(set) var outcome: Outcome?

    /// The number of the latest change in its inspector.
    var revision = 0

    /// The same as ``number``.
    public var id: Int { number }

    init(instance: Int, name: String?, template: String?, tags: [String], method: String, url: String, start: Date) {
        (self.instance, self.name, self.template, self.tags) = (instance, name, template, tags)
        (self.method, self.url, self.start) = (method, url, start)
    }

    private enum CodingKeys: CodingKey {
        case number, instance, name, template, tags, method, url, start, events, outcome
    }

    /// The bytes that the load counts for.
    var size: Int {
        let texts = [name, template, method, url].compactMap(\.self) + tags
        return 400 + texts.size + events.reduce(0) { $0 + 32 + $1.text.utf8.count } + (outcome?.size ?? 0)
    }
}

extension InspectedLoad {
    /// Something that happened to a load.
    public struct Event: Sendable, Hashable, Encodable {
        /// The time since the start of the load, in milliseconds.
        public let time: Double
        /// What happened, in words.
        public let text: String
    }

    /// The end of a load.
    public struct Outcome: Sendable, Encodable {
        /// The status code; `nil` if no response arrived.
        public let status: Int?
        /// The error in one line; `nil` for a load that has succeeded.
        public let error: String?
        /// The code of the error.
        public let errorCode: String?
        /// Where the response came from, by the names of `LoadMetrics.Source`.
        public let source: String
        /// The time of the whole load, in milliseconds.
        public let duration: Double
        /// The attempts, in order.
        public let attempts: [Attempt]
        /// The request as it was sent last; `nil` if none was built.
        public let request: Message?
        /// The response; `nil` if none arrived.
        public let response: Message?
        /// The fields that hooks, the configuration and the pipeline have added to the request as it was written.
        public let addedFields: [String]

        var size: Int {
            let texts = [error, errorCode].compactMap(\.self) + addedFields
            let messages = [request, response].compactMap(\.self)
            return texts.size + attempts.reduce(0) { $0 + $1.size } + messages.reduce(0) { $0 + $1.size }
        }
    }

    /// One attempt, with the phases of its last transfer in milliseconds; a phase that did not happen is 0.
    public struct Attempt: Sendable, Hashable, Encodable {
        /// The status code; `nil` if no response arrived.
        public let status: Int?
        /// The code of the error; `nil` if a response arrived.
        public let errorCode: String?
        /// The wait before the attempt.
        public let wait: Double
        /// The wait for a connection.
        public let queue: Double
        /// Resolving the host's name.
        public let nameLookup: Double
        /// Establishing the connection.
        public let connect: Double
        /// The TLS handshake.
        public let tls: Double
        /// From the ready connection to the first byte of the response.
        public let firstByte: Double
        /// From the first byte of the response to the last.
        public let receive: Double
        /// The protocol version of the response.
        public let httpVersion: String?
        /// The address and the port of the peer; empty without a connection.
        public let peer: String
        /// Whether an earlier request opened the connection.
        public let isConnectionReused: Bool
        /// The redirects that were followed: status, and the URL of the next request.
        public let redirects: [String]

        var size: Int { 200 + peer.utf8.count + redirects.size }
    }

    /// A request or a response.
    public struct Message: Sendable, Encodable {
        /// A header field.
        public struct Field: Sendable, Hashable, Encodable {
            /// The name as it was sent.
            public let name: String
            /// The value.
            public let value: String
        }

        /// The request line without version, or the status line.
        public let startLine: String
        /// The header fields, in order.
        public let fields: [Field]
        /// The media type; empty if it is unknown.
        public let type: String
        /// The number of bytes of the content, after its codings were decoded; `nil` if it was produced while it was
        /// sent, or read as a stream.
        public let contentBytes: Int?
        /// The content, if it is text and within the inspector's limit.
        public let content: String?

        var size: Int {
            let pairs = fields.reduce(200) { $0 + 60 + $1.name.utf8.count + $1.value.utf8.count }
            return pairs + startLine.utf8.count + type.utf8.count + (content?.utf8.count ?? 0)
        }
    }
}

extension [String] {
    /// The bytes of the strings, and those that hold each.
    fileprivate var size: Int { reduce(0) { $0 + 16 + $1.utf8.count } }
}
