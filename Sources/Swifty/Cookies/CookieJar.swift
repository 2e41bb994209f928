// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

public import struct Foundation.Date

/// Stores the cookies that servers set, and adds them to later requests (RFC 6265bis).
///
///     let jar = CookieJar()
///     let swifty = Swifty { $0.cookies = jar }
///
/// A `Swifty` without a jar neither stores nor sends cookies. Instances that share a jar share its cookies; two jars
/// share nothing. All methods may be called from any thread.
///
/// A jar with a file reads it once, and writes it about a second after a change, on ``save()`` and when the jar is
/// released. If it cannot be written after a change, the jar tries again each second, ten times at most. At any time
/// the file is either the whole old or the whole new one, accessible to its owner only, in curl's format
/// (`curl --cookie FILE`). Two processes must not use the same file simultaneously: each would overwrite the other's
/// cookies.
///
/// `Secure` means https, or `localhost`, `127.0.0.1` and `[::1]`, as in curl. `SameSite` is stored and changes nothing,
/// since requests of a client come from no document.
public final class CookieJar: Sendable {
    private let store: Mutex<CookieStore>
    private let fileWriter: CookieFileWriter?
    private let now: @Sendable () -> Date

    /// Makes an empty jar, in memory.
    ///
    /// - Parameters:
    ///   - publicSuffixes: The domains that no cookie may be set for.
    ///   - now: The clock by which cookies expire. For tests.
    public init(publicSuffixes: PublicSuffixList = .system, now: @escaping @Sendable () -> Date = { Date() }) {
        store = Mutex(CookieStore(suffixes: publicSuffixes))
        fileWriter = nil
        self.now = now
    }

    /// Makes a jar with the cookies of a file, which is created when there is something to save.
    ///
    /// Session cookies are also kept, as in curl; ``removeSessionCookies()`` begins a new session.
    ///
    /// - Parameters:
    ///   - file: The path, in a folder that exists. A relative one is resolved now, and not for each save.
    ///   - publicSuffixes: The domains that no cookie may be set for.
    ///   - now: The clock by which cookies expire. For tests.
    /// - Throws: ``CookieJar/FileError`` if the file exists and cannot be read or parsed; it is unchanged.
    public init(
        file: String,
        publicSuffixes: PublicSuffixList = .system,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(FileError) {
        let file = FilePlace.absolute(file)
        var store = CookieStore(suffixes: publicSuffixes)
        let bytes = try CookieFile.read(file)
        store.restore(try CookieFile.parse(bytes, path: file, now: now()), at: now())
        fileWriter = CookieFileWriter(path: file, savedChanges: store.changes)
        self.store = Mutex(store)
        self.now = now
    }

    /// Makes a jar in memory with the cookies of a file, which is not changed.
    ///
    /// - Throws: ``CookieJar/FileError`` if the file exists and cannot be read or parsed.
    package init(copying file: String) throws(FileError) {
        var store = CookieStore(suffixes: .system)
        store.restore(try CookieFile.parse(try CookieFile.read(file), path: file, now: Date()), at: Date())
        fileWriter = nil
        self.store = Mutex(store)
        now = { Date() }
    }

    deinit {
        try? save()
    }

    /// The cookies for a request to the URI, in the order in which they are sent. They count as used now.
    public func cookies(for target: TargetURI) -> [Cookie] {
        let now = now()
        return store.withLock { $0.cookies(for: target, at: now) }
    }

    /// All cookies that have not expired, oldest first.
    public var allCookies: [Cookie] {
        let now = now()
        return store.withLock { $0.all(at: now) }.map(\.cookie)
    }

    /// Stores a cookie as if a response from the URI had set it.
    ///
    /// - Parameters:
    ///   - field: The value of a `Set-Cookie` field, such as `theme=dark; Path=/; Max-Age=3600`.
    ///   - target: The URI.
    /// - Throws: ``CookieJar/ValidationError`` if the rules do not let that server set it.
    public func setCookie(_ field: String, from target: TargetURI) throws(ValidationError) {
        let cookie = try SetCookie(parsing: field.utf8)
        try set(cookie, from: target)
    }

    func set(_ cookie: SetCookie, from target: TargetURI) throws(ValidationError) {
        let now = now()
        try store.withLock { store throws(ValidationError) in try store.set(cookie, from: target, at: now) }
        saveLater()
    }

    /// Removes all cookies.
    public func removeAll() {
        keep { _ in false }
    }

    /// Removes the expired cookies, which are not sent in any case.
    public func removeExpired() {
        let now = now()
        keep { !$0.isExpired(at: now) }
    }

    /// Removes the cookies without an expiry date.
    public func removeSessionCookies() {
        keep { $0.expires != nil }
    }

    private func keep(where isKept: (Cookie) -> Bool) {
        store.withLock { store in store.keep { isKept($0.cookie) } }
        saveLater()
    }
}

extension CookieJar {
    /// Writes changes to the file, and flushes it to the disk; does nothing for a jar without a file.
    ///
    /// - Throws: ``CookieJar/FileError``. The file is then unchanged, and the next call tries again.
    public func save() throws(FileError) {
        try fileWriter?.save { [now = now()] in store.withLock { ($0.changes, $0.all(at: now)) } }
    }

    /// The error of the last attempt to write the file; `nil` if it succeeded.
    public var saveError: FileError? { fileWriter?.error }

    private func saveLater() {
        fileWriter?.schedule { [weak self] in try self?.save() }
    }
}

extension CookieJar: CustomStringConvertible, CustomReflectable {
    /// The number of cookies, and the file.
    public var description: String {
        "CookieJar(\(store.withLock { $0.count }) cookies\(fileWriter.map { ", \($0.path)" } ?? ""))"
    }

    /// A mirror of the description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
