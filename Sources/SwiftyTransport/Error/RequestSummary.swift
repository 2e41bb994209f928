// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

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
        package init(method: String, url: String, template: String? = nil, name: String? = nil) {
            self.method = method
            self.url = url
            self.template = template
            self.name = name
        }

        /// Method and URL, as in `GET https://example.com/ip`; the method alone if there is no URL.
        public var description: String { url.isEmpty ? method : "\(method) \(url)" }
    }
}
