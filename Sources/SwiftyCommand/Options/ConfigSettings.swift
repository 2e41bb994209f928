// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// The settings of TNL's `TNLRequestConfiguration` in a configuration file.
struct ConfigSettings: Equatable {
    /// A setting without an effect, and the reason.
    struct Ignored: Equatable {
        let name: String
        let reason: String
    }

    private(set) var idleTimeout: Double?
    private(set) var operationTimeout: Double?
    private(set) var attemptTimeout: Double?
    private(set) var redirects: RedirectRule?
    private var cachePolicy: CachePolicy?
    private var isBackground = false
    private var acceptsCookies = false
    private var sendsCookies = false
    private var others: [Ignored] = []

    /// What `NSURLRequest.CachePolicy` demands of the caches on the way; the command itself has none.
    private enum CachePolicy: String {
        case useProtocol = "0"
        case reloadIgnoringLocal = "1"
        case cachedElseLoad = "2"
        case cachedOnly = "3"
        case reloadIgnoringAll = "4"
        case revalidate = "5"

        /// The value of `Cache-Control` (RFC 9111 §5.2.1).
        var field: String? {
            switch self {
            case .useProtocol, .reloadIgnoringLocal, .cachedElseLoad: nil
            case .cachedOnly: "only-if-cached"
            case .reloadIgnoringAll: "no-cache"
            case .revalidate: "max-age=0"
            }
        }
    }

    /// Takes a setting of the file.
    mutating func set(_ name: String, _ value: String) throws(UsageError) {
        switch name {
        case "idleTimeout": idleTimeout = try Self.seconds(name, value)
        case "operationTimeout": operationTimeout = try Self.seconds(name, value)
        case "attemptTimeout": attemptTimeout = try Self.seconds(name, value)
        case "redirectPolicy":
            let form = "0 (none), 1 (all) or 2 (on the same host)"
            redirects = try Self.choice(RedirectRule(rawValue: value), of: name, form)
        case "cachePolicy":
            cachePolicy = try Self.choice(CachePolicy(rawValue: value), of: name, "a number from 0 to 5")
        case "shouldSetCookies": sendsCookies = try Self.flag(name, value)
        case "cookieAcceptPolicy": try setCookies(name, value)
        case "networkServiceType": try setServiceType(name, value)
        default: try ignore(name, value)
        }
    }

    /// Only from the main document (2) means always: a request of the command is its own main document.
    private mutating func setCookies(_ name: String, _ value: String) throws(UsageError) {
        let isKnown = ["0", "1", "2"].contains(value)
        acceptsCookies = try Self.choice(isKnown ? value : nil, of: name, "0 (always), 1 (never) or 2") != "1"
    }

    private mutating func setServiceType(_ name: String, _ value: String) throws(UsageError) {
        let type = try Self.choice(Int(value), of: name, "a number")
        isBackground = type == 3
        if ![0, 3].contains(type) {
            others.append(.init(name: name, reason: "only 3, background, has a counterpart, a low priority"))
        }
    }

    private mutating func ignore(_ name: String, _ value: String) throws(UsageError) {
        guard let setting = IgnoredSetting.all[name] else {
            throw UsageError("The configuration file names a setting that does not exist: \"\(name)\".")
        }
        try Self.choice(setting.kind.allows(value) ? value : nil, of: name, setting.kind.rawValue)
        if !setting.isNeutral(value) { others.append(.init(name: name, reason: setting.reason)) }
    }

    // MARK: Values

    /// Zero and less mean no limit, as in TNL.
    private static func seconds(_ name: String, _ value: String) throws(UsageError) -> Double {
        guard let seconds = Double(value), seconds <= 31_536_000 else {
            throw UsageError("The setting \"\(name)\" is not a number of seconds.")
        }
        return seconds
    }

    private static func flag(_ name: String, _ value: String) throws(UsageError) -> Bool {
        try choice(IgnoredSetting.flags[value.lowercased()], of: name, IgnoredSetting.Kind.flag.rawValue)
    }

    @discardableResult
    private static func choice<Value>(_ value: Value?, of name: String, _ form: String) throws(UsageError) -> Value {
        if let value { return value }
        throw UsageError("The setting \"\(name)\" is not \(form).")
    }
}

extension ConfigSettings {
    /// The settings that have no effect, in the order of the file.
    ///
    /// - Parameter hasJar: Whether an option names the cookies to use.
    func ignored(hasJar: Bool = false) -> [Ignored] {
        if acceptsCookies == sendsCookies || hasJar { return others }
        let name = acceptsCookies ? "cookieAcceptPolicy" : "shouldSetCookies"
        let reason = acceptsCookies ? "what is not sent need not be kept" : "no cookies are kept that could be sent"
        return others + [Ignored(name: name, reason: reason)]
    }

    func apply(to configuration: inout Swifty.Configuration) {
        if let idleTimeout { configuration.timeouts.idle = Self.limit(idleTimeout) }
        if let attemptTimeout { configuration.timeouts.attempt = Self.limit(attemptTimeout) }
        if let operationTimeout { configuration.timeouts.total = Self.limit(operationTimeout) }
        if acceptsCookies, sendsCookies, configuration.cookies == nil { configuration.cookies = CookieJar() }
    }

    /// Adds what requests say to caches and servers, unless they say it themselves.
    func applyFields(to configuration: inout Swifty.Configuration) {
        if let field = cachePolicy?.field { configuration.defaultHeaders[.cacheControl] = field }
        guard isBackground, !configuration.sendsPriority else { return }
        configuration.defaultHeaders[.priority] = NetworkRequest.Priority.veryLow.fieldValue.map { "\($0)" }
    }

    private static func limit(_ seconds: Double) -> Duration? { seconds > 0 ? .seconds(seconds) : nil }
}
