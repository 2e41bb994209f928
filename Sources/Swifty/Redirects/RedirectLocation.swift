// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The target of a redirect.
struct RedirectLocation: Equatable {
    let target: TargetURI
    let fragment: String?

    /// Reads the `Location` of a response; `nil` if it has none, which is allowed (RFC 9110 §15.4).
    ///
    /// - Throws: ``RedirectError`` if the location is ambiguous, malformed or not `http` or `https`.
    init?(_ head: ResponseHead, of request: NetworkRequest) throws(RedirectError) {
        let fields = head.headers[fields: .location]
        guard let field = fields.first else { return nil }
        // Of several different values, one reader takes the first and another the last.
        guard fields.allSatisfy({ $0.value == field.value }) else {
            throw RedirectError(.redirectRefused, "the redirect has several different Locations")
        }
        let text = Self.text(of: field)
        // The whole text is checked: in user information or a fragment, too, such bytes move the end of the host for
        // other parsers.
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) else {
            throw RedirectError(
                .redirectRefused,
                "the redirect's Location has a control character, space or backslash"
            )
        }
        let reference = URIReference(text).resolved(against: URIReference(request.target.string))
        target = try Self.target(of: reference)
        fragment = reference.fragment
    }

    /// The value with each byte above ASCII percent-encoded, as browsers and curl read it.
    private static func text(of field: HTTPField) -> String {
        field.withUnsafeBytesOfValue { bytes in
            var text = ""
            for byte in bytes {
                let scalar = Unicode.Scalar(byte)
                if byte < 0x80 { text.unicodeScalars.append(scalar) } else { text += "%" + byte.hexadecimal }
            }
            return text
        }
    }

    private static func target(of reference: URIReference) throws(RedirectError) -> TargetURI {
        guard let scheme = reference.scheme?.lowercased(), TargetURI.Scheme(rawValue: scheme) != nil else {
            throw RedirectError(.redirectRefused, "the redirect leads to a scheme that is neither http nor https")
        }
        let place = URIReference(
            scheme: scheme,
            authority: reference.authority.map(withoutUserInformation),
            path: reference.path,
            query: reference.query,
            fragment: nil
        )
        do throws(TargetURI.ValidationError) {
            return try TargetURI(place.string)
        } catch {
            throw RedirectError(.redirectRefused, "the redirect's Location cannot be used: \(error.reason)")
        }
    }

    private static func withoutUserInformation(_ authority: String) -> String {
        authority.lastIndex(of: "@").map { String(authority[$0...].dropFirst()) } ?? authority
    }
}

extension UInt8 {
    fileprivate var hexadecimal: String {
        (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: true)
    }
}
