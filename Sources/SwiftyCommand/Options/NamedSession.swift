// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// The header fields, logins and cookies that requests share by a name.
///
/// Fields and logins belong to the origin that they were sent to, and are sent to no other; cookies have their own
/// rules. Only the user can read the files: `NAME.json`, and `NAME.cookies.txt` in curl's format.
struct NamedSession {
    /// The state that requests to one origin share.
    private struct Part: Codable {
        var headers: [[String]] = []
        /// The value of `--auth`, or the login of the URL.
        var auth: String?
        var authType: String?
    }

    /// The file of the cookies.
    let cookies: String
    /// Whether nothing is written.
    let isReadOnly: Bool

    private let path: String
    private var parts: [String: Part] = [:]

    /// Opens a session, or begins a new one.
    ///
    /// - Parameter name: A name, or the path of a file, which has a slash.
    init(_ name: String, folder: String, isReadOnly: Bool) throws(UsageError) {
        let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        guard name.contains("/") || isName && !name.isEmpty && !name.hasPrefix(".") else {
            throw UsageError(
                "\"\(name)\" cannot be the name of a session.",
                hint: "Use letters, digits, - and _, or the path of a file, like ./\(name)."
            )
        }
        let base = name.contains("/") ? AbsolutePath.of(name) : "\(folder)/sessions/\(name)"
        let stem = base.hasSuffix(".json") ? String(base.dropLast(5)) : base
        (path, cookies, self.isReadOnly) = ("\(stem).json", "\(stem).cookies.txt", isReadOnly)
        guard let data = FileManager.default.contents(atPath: path) else { return }
        guard let parts = try? JSONDecoder().decode([String: Part].self, from: data),
            parts.values.allSatisfy({ $0.headers.allSatisfy { $0.count == 2 } })
        else { throw UsageError("The file \(path) is not a session.", hint: "Remove it, or name another session.") }
        self.parts = parts
    }

    /// Adds what the session stores for the origin of a request, unless the request sets it itself.
    func apply(to plan: inout RequestPlan, _ identity: inout IdentityOptions) {
        guard let origin = plan.target?.origin, let part = parts[origin] else { return }
        for pair in part.headers where !plan.hasHeader(pair[0]) && !plan.removesHeader(pair[0]) {
            plan.headers.append(.init(name: pair[0], value: pair[1]))
        }
        guard identity.auth == nil, plan.login == nil, !plan.hasHeader("Authorization") else { return }
        identity.auth = part.auth
        identity.authType = identity.authType ?? part.authType.flatMap(AuthenticationScheme.init)
    }

    /// Writes what a request has sent, unless the session is read-only.
    func save(_ plan: RequestPlan, _ identity: IdentityOptions) throws(OutputError) {
        guard !isReadOnly, let origin = plan.target?.origin else { return }
        var parts = parts
        var part = parts[origin] ?? Part()
        part.headers.removeAll { plan.hasHeader($0[0]) || plan.removesHeader($0[0]) }
        part.headers += plan.headers.filter { Self.isKept($0.name) }.map { [$0.name, $0.value] }
        if let auth = identity.auth ?? plan.login { (part.auth, part.authType) = (auth, identity.authType?.rawValue) }
        parts[origin] = part
        try write(parts)
    }

    /// A session does not keep fields about single content, resource state or connection.
    private static func isKept(_ name: String) -> Bool {
        let name = name.lowercased()
        let isOfRequest = ["content-", "if-"].contains { name.hasPrefix($0) }
        return !isOfRequest && !["cookie", "host", "range", "idempotency-key", "expect", "connection"].contains(name)
    }

    private func write(_ parts: [String: Part]) throws(OutputError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(parts) else { return }
        try prepare()
        try SavedContent.replaceSecret(path, data)
    }

    /// Makes the folder of the files, which only the user can enter.
    func prepare() throws(OutputError) {
        if isReadOnly { return }
        let folder = (path as NSString).deletingLastPathComponent
        try SavedContent.makeFolder(folder, attributes: [.posixPermissions: 0o700])
    }
}
