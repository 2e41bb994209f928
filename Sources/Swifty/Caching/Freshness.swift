// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// How long a stored response may be used, and in which cases beyond that (RFC 9111 §4.2).
struct Freshness: Sendable, Equatable {
    /// The seconds for which the response is fresh, counted from its generation.
    let lifetime: Double
    /// Whether the server must confirm even a fresh response.
    let isAlwaysValidated: Bool
    /// Whether a stale response must not be used without the server's confirmation.
    let forbidsStale: Bool
    /// The seconds beyond the lifetime in which the response is used while the server is asked (RFC 5861 §3).
    let staleWhileRevalidate: Double
    /// The seconds beyond the lifetime in which the response is used if the server fails (RFC 5861 §4).
    let staleIfError: Double
    /// The age on arrival.
    private let initialAge: Double
    private let received: Double

    /// The freshness of a response.
    ///
    /// - Parameter ownLifetime: The lifetime that the caller has decided, in seconds; `nil` for that of the fields.
    init(_ head: ResponseHead, _ times: CacheTimes, ownLifetime: Double?) {
        let headers = head.headers
        let directives = CacheDirectives(headers)
        lifetime = ownLifetime ?? Self.lifetime(of: head, received: times.received)
        isAlwaysValidated = ownLifetime == nil && directives.contains("no-cache")
        forbidsStale = ["no-cache", "must-revalidate"].contains { directives.contains($0) }
        staleWhileRevalidate = directives.seconds("stale-while-revalidate").number ?? 0
        staleIfError = directives.seconds("stale-if-error").number ?? 0
        initialAge = Self.initialAge(headers, times)
        received = times.received
    }

    /// The age at a time (RFC 9111 §4.2.3); infinite if the clock was set back, since it is unknown then.
    func age(at now: Double) -> Double {
        now < received ? .infinity : initialAge + (now - received)
    }

    /// The seconds for which the response is still fresh; negative if it is stale.
    func rest(at now: Double) -> Double { lifetime - age(at: now) }

    private static func initialAge(_ headers: HTTPFields, _ times: CacheTimes) -> Double {
        let date = headers.seconds(.date) ?? times.received
        // Of several values the first counts; what is no number says nothing (RFC 9111 §5.1).
        let first = headers[values: .age].first.flatMap { $0.split(separator: ",").first }?.trimmingSpacesAndTabs()
        let age = first.flatMap { $0.utf8.isDecimal ? Double($0) : nil } ?? 0
        return max(times.received - date, min(age, 0x1p31) + times.received - times.requested, 0)
    }

    private static func lifetime(of head: ResponseHead, received: Double) -> Double {
        let (headers, directives) = (head.headers, CacheDirectives(head.headers))
        let maximumAge = directives.seconds("max-age")
        if maximumAge != .absent { return maximumAge.number ?? 0 }
        let date = headers.seconds(.date) ?? received
        if headers.contains(.expires) { return max((headers.expiry ?? date) - date, 0) }
        guard let modified = headers.seconds(.lastModified),
            isHeuristic(head.statusCode) || directives.contains("public")
        else { return 0 }
        // A tenth of the time since the last change, as RFC 9111 §4.2.2 proposes, and at most a day.
        return min(max((date - modified) / 10, 0), 86_400)
    }

    /// Whether responses of this status may be stored and used without an explicit lifetime (RFC 9110 §15.1).
    static func isHeuristic(_ status: Int) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }
}

extension HTTPFields {
    /// The date of a field that occurs once, in seconds since 1970.
    fileprivate func seconds(_ name: HTTPField.Name) -> Double? {
        let values = self[values: name]
        guard values.count == 1 else { return nil }
        return date(name)?.timeIntervalSince1970
    }

    /// What is no date, such as `0`, has expired (RFC 9111 §5.3).
    fileprivate var expiry: Double? {
        let values = self[values: .expires]
        guard values.count == 1 else { return nil }
        return HTTPDate.secondsSince1970(exactly: values[0][...]).map { Double($0) }
    }
}
