// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The `Cookie` field of a request.
enum CookieField {
    /// What to send of a jar's cookies, which come most specific first; `nil` if that is nothing.
    ///
    /// What the caller has set stays as it is, in front: cookies of the same names are left out. The least specific ones are
    /// dropped when there is too much.
    static func text(of cookies: [CookieJar.Cookie], after own: String?) -> String? {
        let taken = own.map(names) ?? []
        var text = own ?? ""
        for cookie in cookies where !taken.contains(cookie.name) {
            let addition = text.isEmpty ? cookie.pair : "; " + cookie.pair
            if text.utf8.count + addition.utf8.count > CookieLimits.fieldBytes { break }
            text += addition
        }
        return text.isEmpty ? nil : text
    }

    private static func names(in field: String) -> Set<String> {
        Set(
            field.split(separator: ";").map { pair in
                let name = pair.firstIndex(of: "=").map { pair[..<$0] } ?? ""
                return String(name.drop { $0 == " " || $0 == "\t" })
            }
        )
    }
}
