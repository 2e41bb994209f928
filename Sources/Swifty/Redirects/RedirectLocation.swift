// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The target of a redirect.
struct RedirectLocation: Equatable {
    let target: TargetURI
    let fragment: String?

    /// Reads the `Location` of a response; `nil` if it has none, which is allowed (RFC 9110 §15.4).
    ///
    /// - Throws: ``SwiftyError`` if the location is ambiguous, malformed or not `http` or `https`.
    init?(_ head: ResponseHead, of request: NetworkRequest) throws(SwiftyError) {
        let fields = head.headers[fields: .location]
        guard let field = fields.first else { return nil }
        // Of several different values, one reader takes the first and another the last.
        guard fields.allSatisfy({ $0.value == field.value }) else {
            throw .redirect(.redirectRefused, "the redirect has several different Locations")
        }
        let bytes = field.withUnsafeBytesOfValue { Array($0) }
        do throws(TargetURI.ValidationError) {
            (target, fragment) = try TargetURI.resolve(bytes, against: request.target)
        } catch {
            throw SwiftyError.redirect(.redirectRefused, "the redirect's Location cannot be used: \(error.reason)")
        }
    }
}
