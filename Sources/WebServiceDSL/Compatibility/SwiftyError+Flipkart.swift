// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

// Names of Flipkart's Swifty, so that its call sites compile unchanged; see Docs/Migration.md.

/// Constructors for interceptors and constraints.
extension SwiftyError {
    /// The error of a response that is not what the API promises.
    ///
    /// - Parameters:
    ///   - reason: The reason, in words.
    ///   - statusCode: The code of the `NSError`; 11 if `nil`.
    public static func responseValidation(reason: String = "", statusCode: Int? = nil) -> SwiftyError {
        var error = SwiftyError(
            .unacceptableStatus,
            stage: .responseInterceptor,
            sent: .responded,
            reason: reason.isEmpty ? "the response is invalid" : reason
        )
        if let statusCode { error.head = ResponseHead(statusCode: statusCode) }
        return error
    }

    /// The error of a response whose content is not JSON, or not the expected JSON.
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

extension SwiftyError {
    /// The description as that of an `NSError`, and the members of a JSON object that the server sent with it:
    /// ``content``, ``decoded(_:)``. For the `NSError` of a constraint or an interceptor, its own.
    public var userInfo: [String: Any] {
        if let own = hookError.map({ ($0 as NSError).userInfo }), !own.isEmpty { return own }
        let json = content.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
        return [NSLocalizedDescriptionKey: description].merging(json ?? [:]) { _, member in member }
    }
}

/// The errors of requests that cannot be built.
public enum WebServiceError {
    /// The resource has no network interface.
    public static func noNetworkInterface() -> SwiftyError {
        make(.noNetworkInterface, "the resource has no network interface")
    }

    /// The server URL is not an absolute `http` or `https` URL.
    public static func invalidBaseURL(url: String) -> SwiftyError {
        make(.invalidBaseURL, "the server URL \"\(Redaction.redact(malformed: url))\" cannot be used")
    }

    /// The URL of the request cannot be used.
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
    public static func jsonEncodingFailure(dictionary: [AnyHashable: Any], error: (any Error)?) -> SwiftyError {
        let keys = dictionary.keys.map { "\($0)" }.sorted()
        return make(.jsonEncodingFailed, "the JSON object with the keys \(keys) cannot be encoded", error)
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
