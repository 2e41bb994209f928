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
