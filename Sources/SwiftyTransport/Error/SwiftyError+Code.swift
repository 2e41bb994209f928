// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension SwiftyError {
    /// What happened. New codes may be added: always have a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// A short, stable name, fit for logs and metric labels.
        public let rawValue: String

        /// Makes a code of a name, for errors of your own hooks.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        private init(_ name: String) {
            rawValue = name
        }

        /// The name.
        public var description: String { rawValue }

        // MARK: Building

        /// The `WebService` has no network interface that could load the request.
        public static let noNetworkInterface = Code("noNetworkInterface")
        /// The server's URL is not an absolute `http` or `https` URL.
        public static let invalidBaseURL = Code("invalidBaseURL")
        /// The path, a path variable or the whole URL is not usable.
        public static let invalidURL = Code("invalidURL")
        /// The method is not a token.
        public static let invalidMethod = Code("invalidMethod")
        /// A header field's name or value holds bytes that may not be sent, or it contradicts the message's framing.
        public static let invalidHeader = Code("invalidHeader")
        /// The query could not be encoded.
        public static let queryEncodingFailed = Code("queryEncodingFailed")
        /// The form fields could not be encoded.
        public static let fieldsEncodingFailed = Code("fieldsEncodingFailed")
        /// The JSON object or array could not be encoded.
        public static let jsonEncodingFailed = Code("jsonEncodingFailed")
        /// The `Encodable` value could not be encoded.
        public static let encodingFailed = Code("encodingFailed")
        /// The request has a method that carries no content, and a body was set.
        public static let bodyNotAllowed = Code("bodyNotAllowed")
        /// A file or stream that was to be the body could not be read.
        public static let bodyUnreadable = Code("bodyUnreadable")
        /// The proxy's URL, host or credentials cannot be used.
        public static let invalidProxy = Code("invalidProxy")
        /// A time limit is zero or negative.
        public static let invalidTimeout = Code("invalidTimeout")
        /// The mock's file is missing, empty or unreadable.
        public static let mockUnavailable = Code("mockUnavailable")

        // MARK: Pipeline

        /// The load was cancelled by its caller.
        public static let cancelled = Code("cancelled")
        /// The `Swifty` or the transport was shut down.
        public static let shutdown = Code("shutdown")
        /// A time limit was reached.
        public static let timedOut = Code("timedOut")
        /// A constraint finished with an error, which is in `underlying`.
        public static let constraintFailed = Code("constraintFailed")
        /// An interceptor threw, or failed the response with an error of its own, which is in `underlying`.
        public static let interceptorFailed = Code("interceptorFailed")
        /// The host failed too often, and its circuit breaker lets nothing through for a while.
        public static let circuitOpen = Code("circuitOpen")
        /// A load that this one depends on failed, with the error in `underlying`, and this one was not started.
        public static let dependencyFailed = Code("dependencyFailed")

        // MARK: Transfer

        /// The host's name could not be resolved.
        public static let nameResolutionFailed = Code("nameResolutionFailed")
        /// No connection could be made: refused, unreachable, or out of sockets.
        public static let connectionFailed = Code("connectionFailed")
        /// The connection ended before the response was complete.
        public static let connectionLost = Code("connectionLost")
        /// The TLS handshake failed.
        public static let tlsFailed = Code("tlsFailed")
        /// The server's certificate is not trusted, not valid now, or not for this host.
        public static let certificateInvalid = Code("certificateInvalid")
        /// The server's certificate or public key is none of those that are pinned for its host.
        public static let certificatePinMismatch = Code("certificatePinMismatch")
        /// The client's own certificate cannot be used: unreadable, a wrong password, or not the certificate of the key.
        public static let clientCertificateInvalid = Code("clientCertificateInvalid")
        /// The server does not accept the client's certificate, or requires one and got none.
        public static let clientCertificateRefused = Code("clientCertificateRefused")
        /// The response breaks the rules of HTTP, or is not HTTP.
        public static let malformedResponse = Code("malformedResponse")
        /// The response's header fields or content are larger than allowed.
        public static let responseTooLarge = Code("responseTooLarge")
        /// The proxy could not be reached, refused to open a tunnel, or failed.
        public static let proxyFailed = Code("proxyFailed")
        /// The proxy wants other credentials before it opens a tunnel.
        public static let proxyAuthenticationRequired = Code("proxyAuthenticationRequired")
        /// The address that a name or URL leads to is not allowed; see ``/SwiftyTransport/AddressSettings``.
        public static let addressDenied = Code("addressDenied")
        /// The process or the system has no file descriptors left for another connection.
        public static let tooManyOpenFiles = Code("tooManyOpenFiles")
        /// The version of HTTP that the settings demand cannot be had: the server does not offer it, or the URL is `http`.
        public static let versionUnavailable = Code("versionUnavailable")
        /// The transport's settings are not usable, or exclude each other: a malformed pin or host, or no authorities where they
        /// should be, say.
        public static let invalidSettings = Code("invalidSettings")
        /// The transport failed in itself: out of memory, a missing feature, wrong use.
        public static let transportFailed = Code("transportFailed")

        // MARK: Response

        /// The status is not among those that the request accepts as success.
        public static let unacceptableStatus = Code("unacceptableStatus")
        /// A redirect leads where none may: another scheme, a broken `Location`, or another origin with a body.
        public static let redirectRefused = Code("redirectRefused")
        /// A redirect leads from `https` to `http`.
        public static let insecureRedirect = Code("insecureRedirect")
        /// A redirect leads to a request that was made before.
        public static let redirectLoop = Code("redirectLoop")
        /// There are more redirects than the policy allows.
        public static let tooManyRedirects = Code("tooManyRedirects")
        /// The content could not be decoded as the type that was asked for.
        public static let decodingFailed = Code("decodingFailed")
        /// A value was asked for and the response has no content.
        public static let emptyResponse = Code("emptyResponse")

        // MARK: Authentication

        /// A Basic or Bearer credential would have gone over `http` without having been allowed to; it was not sent.
        public static let insecureCredential = Code("insecureCredential")
        /// The credential cannot be sent: a user name with a colon, control characters.
        public static let invalidCredential = Code("invalidCredential")
        /// An ``AuthenticationChallenge/Handler`` cancelled the load; the server's response is in `head` and `body`.
        public static let authenticationCancelled = Code("authenticationCancelled")
        /// An ``AuthenticationChallenge/Handler`` failed with the error in `underlying`; the server's response is in `head` and `body`.
        public static let authenticationFailed = Code("authenticationFailed")
        /// The server's proof that it knows the password (`rspauth` of RFC 7616 §3.5) is wrong.
        public static let serverNotAuthenticated = Code("serverNotAuthenticated")
    }
}
