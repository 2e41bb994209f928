// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension SwiftyError {
    /// The kind of a failure. New codes may be added, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// A short, stable name for logs and metric labels.
        public let rawValue: String

        /// Makes a code from a name, for the errors of custom hooks.
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
        /// The path, a path variable or the whole URL is invalid.
        public static let invalidURL = Code("invalidURL")
        /// The method is not a token.
        public static let invalidMethod = Code("invalidMethod")
        /// A header field's name or value contains forbidden bytes, or the field contradicts the message's framing.
        public static let invalidHeader = Code("invalidHeader")
        /// The query could not be encoded.
        public static let queryEncodingFailed = Code("queryEncodingFailed")
        /// The form fields could not be encoded.
        public static let fieldsEncodingFailed = Code("fieldsEncodingFailed")
        /// The JSON object or array could not be encoded.
        public static let jsonEncodingFailed = Code("jsonEncodingFailed")
        /// The `Encodable` value could not be encoded.
        public static let encodingFailed = Code("encodingFailed")
        /// Content was set on a request whose method carries none.
        public static let contentNotAllowed = Code("contentNotAllowed")
        /// The file or stream of the content could not be read.
        public static let contentUnreadable = Code("contentUnreadable")
        /// The file of the content changed while it was sent.
        public static let contentChanged = Code("contentChanged")
        /// The request would have to be sent again, and the source of its content can be read only once.
        public static let contentNotReplayable = Code("contentNotReplayable")
        /// The proxy's URL, host or credentials are invalid.
        public static let invalidProxy = Code("invalidProxy")
        /// A time limit is zero or negative.
        public static let invalidTimeout = Code("invalidTimeout")
        /// There is no request: a ``RequestConvertible`` value threw the error in `underlying`, or a curl command has
        /// an option that a request cannot have.
        public static let requestRefused = Code("requestRefused")
        /// The file of the mock is missing, empty or unreadable.
        public static let mockUnavailable = Code("mockUnavailable")

        // MARK: Pipeline

        /// The load was cancelled by its caller.
        public static let cancelled = Code("cancelled")
        /// The `Swifty` or the transport was shut down.
        public static let shutdown = Code("shutdown")
        /// A time limit was reached.
        public static let timedOut = Code("timedOut")
        /// A constraint finished with the error in `underlying`.
        public static let constraintFailed = Code("constraintFailed")
        /// An interceptor threw the error in `underlying`, or failed the response with it.
        public static let interceptorFailed = Code("interceptorFailed")
        /// The circuit breaker of the host is open, because the host failed too often.
        public static let circuitOpen = Code("circuitOpen")
        /// The load was not started, because a load that it depends on failed with the error in `underlying`.
        public static let dependencyFailed = Code("dependencyFailed")
        /// No stored response may be used, and the request forbids to send it: by its cache policy, or by
        /// `only-if-cached` in its `Cache-Control` field.
        public static let notStored = Code("notStored")

        // MARK: Transfer

        /// The name of the host could not be resolved.
        public static let nameResolutionFailed = Code("nameResolutionFailed")
        /// No connection could be made: refused or unreachable.
        public static let connectionFailed = Code("connectionFailed")
        /// The connection ended before the response was complete.
        public static let connectionLost = Code("connectionLost")
        /// The TLS handshake failed.
        public static let tlsFailed = Code("tlsFailed")
        /// The server's certificate is not trusted, expired, not valid yet, or for another host.
        public static let certificateInvalid = Code("certificateInvalid")
        /// The server's certificate or public key does not match the pins of its host.
        public static let certificatePinMismatch = Code("certificatePinMismatch")
        /// The client's own certificate cannot be used: it is unreadable, has a different password, or does not match
        /// the key.
        public static let clientCertificateInvalid = Code("clientCertificateInvalid")
        /// The server refuses the client's certificate, or requires one and received none.
        public static let clientCertificateRefused = Code("clientCertificateRefused")
        /// The response violates HTTP, or is not HTTP.
        public static let malformedResponse = Code("malformedResponse")
        /// The response's header fields or content exceed a limit.
        public static let responseTooLarge = Code("responseTooLarge")
        /// The proxy could not be reached, refused to open a tunnel, or failed.
        public static let proxyFailed = Code("proxyFailed")
        /// The proxy requires other credentials before it opens a tunnel.
        public static let proxyAuthenticationRequired = Code("proxyAuthenticationRequired")
        /// The address of a name or a URL is not allowed; see ``TransportSettings/Addresses/deniesPrivateNetworks``.
        public static let addressDenied = Code("addressDenied")
        /// The process or the system has no file descriptors left for another connection.
        public static let tooManyOpenFiles = Code("tooManyOpenFiles")
        /// The version of HTTP that the settings require is not available: the server does not offer it, or the URL is
        /// `http`.
        public static let versionUnavailable = Code("versionUnavailable")
        /// The transport's settings are invalid or contradict each other: a malformed pin or host, or a missing file of
        /// authorities, for example.
        public static let invalidSettings = Code("invalidSettings")
        /// An internal failure of the transport: out of memory, a missing feature, wrong use.
        public static let transportFailed = Code("transportFailed")

        // MARK: Response

        /// The status is not one that the request accepts as success.
        public static let unacceptableStatus = Code("unacceptableStatus")
        /// The media type of the content is not one that the request accepts.
        public static let unacceptableContentType = Code("unacceptableContentType")
        /// A check of the request, `validate(_:)`, threw the error in `underlying`.
        public static let validationFailed = Code("validationFailed")
        /// A redirect is not allowed: another scheme, a malformed `Location`, or another origin with content.
        public static let redirectRefused = Code("redirectRefused")
        /// A redirect leads from `https` to `http`.
        public static let insecureRedirect = Code("insecureRedirect")
        /// A redirect leads to a request that was already made.
        public static let redirectLoop = Code("redirectLoop")
        /// The redirects exceed the number that the policy allows.
        public static let tooManyRedirects = Code("tooManyRedirects")
        /// The content could not be decoded as the requested type.
        public static let decodingFailed = Code("decodingFailed")
        /// A value or a file was requested, and the response has no content.
        public static let emptyResponse = Code("emptyResponse")
        /// The server answered a call of JSON-RPC or GraphQL with an error, which is the underlying one.
        public static let callFailed = Code("callFailed")
        /// A closure that makes a value of another one threw an error, which is the underlying one.
        public static let transformFailed = Code("transformFailed")

        // MARK: Events and pages

        /// A line, an event or a value of a stream exceeds its limit.
        public static let elementTooLarge = Code("elementTooLarge")
        /// The link to the next page leads to another origin, or is malformed.
        public static let nextPageRefused = Code("nextPageRefused")
        /// The link to the next page leads to a page that was already loaded.
        public static let pageLoop = Code("pageLoop")
        /// The pages exceed the number that the pagination allows.
        public static let tooManyPages = Code("tooManyPages")

        // MARK: Downloads

        /// The file of a download, or its folder, cannot be written: it is missing, not permitted, a link or a folder.
        public static let fileUnwritable = Code("fileUnwritable")
        /// The file of a download exists, and may not be replaced.
        public static let fileExists = Code("fileExists")
        /// Another download writes to the same file.
        public static let fileInUse = Code("fileInUse")
        /// The disk, or the user's quota, has no space for the content.
        public static let diskFull = Code("diskFull")
        /// The content does not have the expected digest.
        public static let checksumMismatch = Code("checksumMismatch")
        /// The server sent a different part of the content than requested.
        public static let rangeMismatch = Code("rangeMismatch")

        // MARK: Authentication

        /// A Basic or Bearer credential was not sent, because it would have gone over `http` without permission.
        public static let insecureCredential = Code("insecureCredential")
        /// The credential cannot be sent: its user name has a colon, or it contains control characters.
        public static let invalidCredential = Code("invalidCredential")
        /// An `AuthenticationChallenge.Handler` cancelled the load. The server's response is in `head` and `content`.
        public static let authenticationCancelled = Code("authenticationCancelled")
        /// An `AuthenticationChallenge.Handler` failed with the error in `underlying`. The server's response is in
        /// `head` and `content`.
        public static let authenticationFailed = Code("authenticationFailed")
        /// The server's proof of knowing the password (`rspauth`, RFC 7616 §3.5) is wrong.
        public static let serverNotAuthenticated = Code("serverNotAuthenticated")
        /// A login by a user with `OAuth2` failed with the error in `underlying`: that of the authorization server, of
        /// the response that the browser has brought, or of a closure of the program.
        public static let loginFailed = Code("loginFailed")
    }
}
