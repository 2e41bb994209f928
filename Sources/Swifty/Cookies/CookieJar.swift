// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import SwiftyTransport
import Synchronization

public import struct Foundation.Date

/// Keeps the cookies that servers set, and gives requests those that are for them (RFC 6265bis).
///
///     let jar = CookieJar()
///     let swifty = Swifty(configuration: Swifty.Configuration(cookies: jar))
///
/// A `Swifty` without a jar neither stores nor sends cookies. Instances that share a jar share its cookies; two jars share
/// nothing. Everything may be called from any thread at any time.
///
/// A jar with a file reads it once and writes it about a second after a change, on ``save()`` and at its end. The file is
/// always either the old or the new one as a whole, is its owner's only, and has curl's format (`curl --cookie FILE`).
/// Two processes must not use one file at the same time: the later one would write over the other's cookies.
///
/// `Secure` means https, on the local machine too. `SameSite` is kept and changes nothing: requests of a client have no
/// document that they could come from.
public final class CookieJar: Sendable {
    private let store: Mutex<CookieStore>
    private let keeper: CookieKeeper?
    private let now: @Sendable () -> Date

    /// Makes an empty jar, in memory.
    ///
    /// - Parameters:
    ///   - publicSuffixes: what no cookie may be set for.
    ///   - now: tells the time by which cookies end; for tests.
    public init(publicSuffixes: PublicSuffixList = .system, now: @escaping @Sendable () -> Date = { Date() }) {
        store = Mutex(CookieStore(suffixes: publicSuffixes))
        keeper = nil
        self.now = now
    }

    /// Makes a jar with the cookies of a file, which is made when there is something to save.
    ///
    /// Cookies of the session are kept, too, as curl does; ``removeSessionCookies()`` begins a new session.
    ///
    /// - Parameters:
    ///   - file: the path, in a folder that exists.
    ///   - publicSuffixes: what no cookie may be set for.
    ///   - now: tells the time by which cookies end; for tests.
    /// - Throws: ``CookieJar/FileError`` if there is a file that cannot be read or understood; it is left as it is.
    public init(
        file: String,
        publicSuffixes: PublicSuffixList = .system,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(FileError) {
        var store = CookieStore(suffixes: publicSuffixes)
        let bytes = try CookieFile.read(file)
        store.restore(try CookieFile.parse(bytes, path: file, now: now()), at: now())
        keeper = CookieKeeper(path: file, savedChanges: store.changes)
        self.store = Mutex(store)
        self.now = now
    }

    deinit {
        try? save()
    }

    /// The cookies that a request to the URI gets, in the order in which they are sent. They count as used now.
    public func cookies(for target: TargetURI) -> [Cookie] {
        let now = now()
        return store.withLock { $0.cookies(for: target, at: now) }
    }

    /// All cookies that are not over, oldest first.
    public var allCookies: [Cookie] {
        let now = now()
        return store.withLock { $0.all(at: now) }.map(\.cookie)
    }

    /// Takes a cookie as if a response from the URI had set it.
    ///
    /// - Parameter field: the value of a `Set-Cookie` field: `theme=dark; Path=/; Max-Age=3600`.
    /// - Throws: ``CookieJar/Rejection`` if the rules do not let that server set it.
    public func setCookie(_ field: String, from target: TargetURI) throws(Rejection) {
        let cookie = try SetCookie(parsing: field.utf8)
        try set(cookie, from: target)
    }

    func set(_ cookie: SetCookie, from target: TargetURI) throws(Rejection) {
        let now = now()
        try store.withLock { store throws(Rejection) in try store.set(cookie, from: target, at: now) }
        keepLater()
    }

    /// Removes all cookies.
    public func removeAll() {
        keep { _ in false }
    }

    /// Removes the cookies that are over. They are not sent in any case.
    public func removeExpired() {
        let now = now()
        keep { !$0.isExpired(at: now) }
    }

    /// Removes the cookies that have no end of their own.
    public func removeSessionCookies() {
        keep { $0.expires != nil }
    }

    private func keep(where isKept: (Cookie) -> Bool) {
        store.withLock { store in store.keep { isKept($0.cookie) } }
        keepLater()
    }
}

extension CookieJar {
    /// Writes what has changed to the file, and returns when it is on the disk; does nothing for a jar without one.
    ///
    /// - Throws: ``CookieJar/FileError``; the file is then as it was, and the next call tries again.
    public func save() throws(FileError) {
        try keeper?.save { [now = now()] in store.withLock { ($0.changes, $0.all(at: now)) } }
    }

    /// Why the file could not be written the last time; `nil` if it could.
    public var saveError: FileError? { keeper?.error }

    private func keepLater() {
        keeper?.schedule { [weak self] in try? self?.save() }
    }
}

extension CookieJar: CustomStringConvertible, CustomReflectable {
    /// How many cookies there are, and in which file.
    public var description: String {
        "CookieJar(\(store.withLock { $0.count }) cookies\(keeper.map { ", \($0.path)" } ?? ""))"
    }

    /// Nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
