// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Why a content could not be decoded.
struct ContentCodingError: Error {
    let code: SwiftyError.Code
    let reason: String

    static let cutOff = malformed("the compressed content is cut off")
    static let damaged = malformed("the compressed content is damaged")
    static let followed = malformed("the compressed content is followed by something else")
    static let outOfMemory = ContentCodingError(
        code: .transportFailed,
        reason: "there is no memory to decompress the content"
    )

    static func malformed(_ reason: String) -> ContentCodingError {
        ContentCodingError(code: .malformedResponse, reason: reason)
    }

    static func tooLarge(_ reason: String) -> ContentCodingError {
        ContentCodingError(code: .responseTooLarge, reason: reason)
    }
}
