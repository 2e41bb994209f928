// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The constructors of Flipkart's Swifty, for interceptors and constraints that were written for it.
extension SwiftyError {
    /// The response is not what the API promises.
    ///
    /// - Parameters:
    ///   - reason: what is wrong, for people.
    ///   - statusCode: the code of the `NSError`; 11 unless given.
    public static func responseValidation(reason: String = "", statusCode: Int? = nil) -> SwiftyError {
        var error = SwiftyError(
            .unacceptableStatus,
            stage: .responseInterceptor,
            sent: .responded,
            reason: reason.isEmpty ? "the response was judged invalid" : reason
        )
        if let statusCode { error.head = ResponseHead(statusCode: statusCode) }
        return error
    }

    /// The response's content is not JSON, or not the JSON that was expected.
    public static func jsonParsingFailure(error: (any Error)?) -> SwiftyError {
        SwiftyError(
            .decodingFailed,
            stage: .decoding,
            sent: .responded,
            reason: "the content cannot be read as JSON",
            underlying: error
        )
    }
}

/// The mistakes in a request, by the names that Flipkart's Swifty gave them.
public enum WebServiceError {
    /// The resource has nothing that could load it.
    public static func noNetworkInterface() -> SwiftyError {
        make(.noNetworkInterface, "the resource has no network interface")
    }

    /// The server URL is empty.
    public static func emptyBaseURL() -> SwiftyError {
        make(.invalidBaseURL, "the server URL is empty")
    }

    /// The server URL is not an absolute `http` or `https` URL.
    public static func invalidBaseURL(url: String) -> SwiftyError {
        make(.invalidBaseURL, "the server URL \"\(Redaction.redact(malformed: url))\" cannot be used")
    }

    /// The URL of the request is not usable.
    public static func invalidURL(url: String) -> SwiftyError {
        make(.invalidURL, "the URL \"\(Redaction.redact(malformed: url))\" cannot be used")
    }

    /// The query cannot be encoded.
    public static func invalidQueryStringWithURL(url: String) -> SwiftyError {
        make(.queryEncodingFailed, "the query of \"\(Redaction.redact(malformed: url))\" cannot be encoded")
    }

    /// The form fields cannot be encoded.
    public static func fieldsEncodingFailure(dictionary: [String: Any]) -> SwiftyError {
        make(.fieldsEncodingFailed, "the fields \(dictionary.keys.sorted()) cannot be encoded")
    }

    /// The JSON object cannot be encoded.
    public static func jsonEncodingFailure(dictionary: [String: Any], error: (any Error)?) -> SwiftyError {
        make(.jsonEncodingFailed, "the JSON object with the keys \(dictionary.keys.sorted()) cannot be encoded", error)
    }

    /// The JSON array cannot be encoded.
    public static func jsonEncodingFailure(array: [Any], error: (any Error)?) -> SwiftyError {
        make(.jsonEncodingFailed, "the JSON array of \(array.count) elements cannot be encoded", error)
    }

    /// The `Encodable` value cannot be encoded.
    public static func codableEncodingFailure(error: (any Error)?) -> SwiftyError {
        make(.encodingFailed, "the value cannot be encoded", error)
    }

    private static func make(
        _ code: SwiftyError.Code,
        _ reason: String,
        _ underlying: (any Error)? = nil
    ) -> SwiftyError {
        SwiftyError(code, stage: .building, reason: reason, underlying: underlying)
    }
}
