// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension CookieJar {
    /// Adds the cookies for a request's target to the request.
    ///
    /// A `Cookie` field that the caller has set stays and comes first; cookies of the same names are left out. Beyond 8
    /// KiB, the least specific cookies are dropped. Call this method once for each request that is sent, with the
    /// request as the caller made it: cookies from an earlier call would count as the caller's.
    // Not inlined; see Load+Run.swift.
    @inline(never)
    package func attach(to request: inout NetworkRequest) {
        let cookies = cookies(for: request.target)
        if cookies.isEmpty { return }
        guard let value = CookieField.value(of: cookies, after: request.headers[.cookie]) else { return }
        // One field: setting it by its name alone would make a field of each pair, which HTTP/1.1 does not allow.
        request.headers[values: .cookie] = [value]
    }

    /// Stores the cookies that a response sets, 50 at most; invalid ones are skipped.
    // Not inlined; see Load+Run.swift.
    @inline(never)
    package func store(from head: ResponseHead, of target: TargetURI) {
        guard head.mayHaveField("set-cookie") else { return }
        var rest = CookieLimits.perResponse
        for field in head.headers[fields: .setCookie] where rest > 0 {
            guard let cookie = try? field.withUnsafeBytesOfValue({ try SetCookie(parsing: $0) }),
                (try? set(cookie, from: target)) != nil
            else { continue }
            rest -= 1
        }
    }
}

/// The `Cookie` field of a request.
enum CookieField {
    /// The value of the field, from cookies in order, most specific first; `nil` if it is empty.
    ///
    /// The caller's own cookies stay as they are, in front; cookies of the same names are left out. The least specific
    /// ones are dropped when the field gets too long.
    static func value(of cookies: [CookieJar.Cookie], after own: String?) -> String? {
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
