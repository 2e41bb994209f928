// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Date

/// What `cookies.txt` has no field for, in a comment in front of the cookie's line.
struct CookieFileNote {
    private static let prefix = "# swifty "

    var created: Date
    var used: Date
    var sameSite: CookieJar.Cookie.SameSite?
}

extension CookieFileNote {
    init(_ entry: CookieStore.Entry) {
        self.init(created: entry.cookie.created, used: entry.lastAccess, sameSite: entry.cookie.sameSite)
    }

    /// `nil` for any other line; what cannot be understood in it is left out.
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
