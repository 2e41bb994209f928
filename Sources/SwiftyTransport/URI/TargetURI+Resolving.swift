// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension TargetURI {
    /// The target of a reference that a server sent, as in `Location` and `Link`, and the fragment of the reference.
    ///
    /// User information is dropped. Spaces and bytes above ASCII are percent-encoded, as by browsers and curl.
    ///
    /// - Parameters:
    ///   - reference: The bytes of an absolute URI or a relative reference.
    ///   - base: The target of the response.
    /// - Throws: ``TargetURI/ValidationError`` if the reference has a control character or a backslash anywhere, a
    ///   space in its authority, or does not lead to an `http` or `https` target.
    package static func resolve(
        _ reference: some Sequence<UInt8>,
        against base: TargetURI
    ) throws(ValidationError) -> (target: TargetURI, fragment: String?) {
        let text = asciiText(of: reference)
        // The whole text is checked: even in user information or a fragment, such bytes move the end of the host for
        // other parsers.
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == .backslash }) else {
            throw ValidationError(reason: "it has a control character or a backslash")
        }
        if URIReference(text).authority?.contains(" ") == true {
            throw ValidationError(reason: "it has a space in its host")
        }
        let encoded = text.replacing(" ", with: "%20")
        let resolved = URIReference(encoded).resolved(against: URIReference(base.string))
        return (try target(of: resolved), resolved.fragment)
    }

    /// The bytes as text, with those above ASCII percent-encoded.
    static func asciiText(of bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            if byte < 0x80 {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + [byte].hexadecimal.uppercased()
            }
        }
        return text
    }

    private static func target(of reference: URIReference) throws(ValidationError) -> TargetURI {
        guard let scheme = reference.scheme?.lowercased(), Scheme(rawValue: scheme) != nil else {
            throw ValidationError(reason: "its scheme is neither http nor https")
        }
        let place = URIReference(
            scheme: scheme,
            authority: reference.authority.map(withoutUserInformation),
            path: reference.path,
            query: reference.query,
            fragment: nil
        )
        return try TargetURI(place.string)
    }

    private static func withoutUserInformation(_ authority: String) -> String {
        authority.lastIndex(of: "@").map { String(authority[$0...].dropFirst()) } ?? authority
    }
}
