// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// One line of `cookies.txt`; see ``CookieFile``.
enum CookieFileLine {
    private static let httpOnly = "#HttpOnly_"
    private static let escaped = "#Swifty_"

    static func isComment(_ line: String) -> Bool {
        line.allSatisfy { $0 == " " || $0 == "\t" }
            || line.hasPrefix("#") && !line.hasPrefix(httpOnly) && !line.hasPrefix(escaped)
    }

    static func text(of cookie: CookieJar.Cookie) -> String {
        let host = cookie.domain.hasPrefix("[") ? String(cookie.domain.dropFirst().dropLast()) : cookie.domain
        let needsEscaping = cookie.name.isEmpty || (cookie.name + cookie.value + cookie.path).utf8.contains(0x09)
        let texts = [cookie.path, cookie.name, cookie.value].map { needsEscaping ? PercentEncoding.encode($0) : $0 }
        let fields = [
            (cookie.isHTTPOnly ? httpOnly : "") + (cookie.isHostOnly ? host : "." + host), flag(!cookie.isHostOnly),
            texts[0], flag(cookie.isSecure), "\(seconds(cookie.expires))", texts[1], texts[2],
        ]
        return (needsEscaping ? escaped : "") + fields.joined(separator: "\t")
    }

    /// The cookie of a line; `nil` if the line is invalid.
    static func cookie(_ line: String, _ metadata: CookieFileMetadata) -> CookieJar.Cookie? {
        let isEscaped = line.hasPrefix(escaped)
        var fields = line.dropFirst(isEscaped ? escaped.count : 0)
            .split(separator: "\t", maxSplits: 6, omittingEmptySubsequences: false).map(String.init)
        // A value may be missing together with its tab.
        if fields.count == 6 { fields.append("") }
        guard fields.count == 7 else { return nil }
        if isEscaped { for index in [2, 5, 6] { fields[index] = fields[index].removingPercentEncoding ?? "\u{0}" } }
        return cookie(fields, metadata)
    }

    private static func cookie(_ fields: [String], _ metadata: CookieFileMetadata) -> CookieJar.Cookie? {
        let isHTTPOnly = fields[0].hasPrefix(httpOnly)
        guard let domain = domain(fields[0].dropFirst(isHTTPOnly ? httpOnly.count : 0)),
            let isForAll = flag(fields[1]), let isSecure = flag(fields[3]), let end = Double(fields[4]), end.isFinite,
            fields[2].utf8.first == UInt8(ascii: "/"), isPair(fields[5], fields[6])
        else { return nil }
        return CookieJar.Cookie(
            name: fields[5],
            value: fields[6],
            domain: domain,
            isHostOnly: !isForAll || CookieScope.isAddress(domain),
            path: fields[2],
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly,
            sameSite: metadata.sameSite,
            expires: end == 0 ? nil : Date(timeIntervalSince1970: end),
            created: metadata.created
        )
    }

    /// The domain without its leading dot, in the normal form of a request's host.
    private static func domain(_ text: Substring) -> String? {
        HostName.normalForm(text.hasPrefix(".") ? text.dropFirst() : text)
    }

    private static func isPair(_ name: String, _ value: String) -> Bool {
        let parsed = try? SetCookie(parsing: "\(name)=\(value)".utf8)
        return parsed?.name == name && parsed?.value == value
    }

    /// The date in whole seconds, at least 1, since 0 means a session cookie.
    private static func seconds(_ date: Date?) -> Int {
        guard let date else { return 0 }
        let seconds = date.timeIntervalSince1970
        return max(1, Int(exactly: min(seconds, 1e15).rounded(.down)) ?? 1)
    }

    private static func flag(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

    private static func flag(_ text: String) -> Bool? {
        switch text.uppercased() {
        case "TRUE": true
        case "FALSE": false
        default: nil
        }
    }
}

/// The data of a cookie for which `cookies.txt` has no field, in a comment in front of its line.
struct CookieFileMetadata {
    private static let prefix = "# swifty "

    var created: Date
    var used: Date
    var sameSite: CookieJar.Cookie.SameSite?
}

extension CookieFileMetadata {
    init(_ entry: CookieStore.Entry) {
        self.init(created: entry.cookie.created, used: entry.lastAccess, sameSite: entry.cookie.sameSite)
    }

    /// Reads the comment; `nil` for any other line. Invalid items are ignored.
    init?(_ line: String, now: Date) {
        guard line.hasPrefix(Self.prefix) else { return nil }
        self.init(created: now, used: now)
        for item in line.dropFirst(Self.prefix.count).split(separator: " ") {
            let parts = item.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "created": created = Self.date(parts[1]) ?? now
            case "used": used = Self.date(parts[1]) ?? now
            case "samesite": sameSite = CookieJar.Cookie.SameSite(rawValue: String(parts[1]))
            default: break
            }
        }
    }

    var line: String {
        let dates = "created=\(created.timeIntervalSince1970) used=\(used.timeIntervalSince1970)"
        return "\(Self.prefix)\(dates)\(sameSite.map { " samesite=\($0.rawValue)" } ?? "")"
    }

    private static func date(_ text: Substring) -> Date? {
        Double(text).flatMap { $0.isFinite ? Date(timeIntervalSince1970: $0) : nil }
    }
}
