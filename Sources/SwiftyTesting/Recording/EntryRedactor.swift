// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// Replaces the secrets of one entry before it is stored: the values with names of secrets, and then the same values
/// wherever else they occur.
struct EntryRedactor {
    private let redaction: CassetteRedaction
    private let redactor: Redactor
    /// The secret values that were found so far, which are replaced wherever else they occur.
    private var found: Set<String>
    /// The minimum length of a value that is also replaced in all other entries: there, a shorter one may be a common
    /// word.
    private static let minimumLengthElsewhere = 10

    /// - Parameter secrets: What the request says about its secrets.
    init(_ redaction: CassetteRedaction, _ secrets: RequestSecrets?) {
        self.redaction = redaction
        redactor = redaction.redactor(secrets)
        found = redactor.values
    }

    /// The entries without their secrets, each also without those of the others.
    static func redact(_ entries: [HAREntry], _ redaction: CassetteRedaction) -> [HAREntry] {
        guard redaction.isEnabled else { return entries }
        var all = Set<String>()
        // Entries that were stored before do not list their secrets.
        let names = entries.compactMap(\.secrets?.names).reduce(SecretNames.standard) { $0.union($1) }
        let own = entries.map { entry in
            var redactor = EntryRedactor(redaction, entry.secrets ?? .named(names))
            let entry = redactor.redact(entry)
            all.formUnion(redactor.found.filter { $0.utf8.count >= minimumLengthElsewhere })
            return entry
        }
        let replacer = SecretReplacer(all)
        return own.map { $0.replacing(replacer) }
    }

    mutating func redact(_ entry: HAREntry) -> HAREntry {
        guard redaction.isEnabled else { return entry }
        var entry = entry
        entry.request = hideSecrets(of: entry.request)
        entry.response.headers = redact(entry.response.headers)
        entry.response.cookies = entry.response.cookies.map { hide($0) }
        entry.response.redirectURL = scan(entry.response.redirectURL, isReference: true)
        entry.response.content = redact(entry.response.content, coded: entry.response.codings)
        if let failure = entry._failure { entry._failure?.reason = scan(failure.reason) }
        return entry.replacing(SecretReplacer(found))
    }

    mutating func redact(_ request: HARRequest) -> HARRequest {
        guard redaction.isEnabled else { return request }
        let request = hideSecrets(of: request)
        return request.replacing(SecretReplacer(found))
    }

    private mutating func hideSecrets(of request: HARRequest) -> HARRequest {
        var request = request
        request.headers = redact(request.headers)
        request.queryString = redact(request.queryString)
        request.cookies = request.cookies.map { hide($0) }
        request.url = scan(request.url, isReference: true)
        request.postData = request.postData.map { redact($0) }
        return request
    }

    /// The text without the secrets that have names or a known form.
    private mutating func scan(_ text: String, isReference: Bool = false) -> String {
        var secrets = Set<String>()
        let redacted = redactor.scan(text, isReference: isReference, found: &secrets)
        for secret in secrets { keep(secret) }
        return redacted
    }

    /// Content without the secrets that have names or a known form.
    mutating func scan(_ content: [UInt8], type: String) -> [UInt8] {
        var secrets = Set<String>()
        let redacted = redactor.scan(content, type: type, found: &secrets)
        for secret in secrets { keep(secret) }
        return redacted
    }

    /// Adds a value to those that are replaced wherever they occur.
    mutating func keep(_ secret: some StringProtocol) {
        if secret.utf8.count >= Redactor.minimumLength, secret != Redaction.placeholder { found.insert(String(secret)) }
    }

    private mutating func redact(_ pairs: [HARPair]) -> [HARPair] {
        pairs.map { pair in
            redactor.isSecret(pair.name) ? hide(pair) : HARPair(name: pair.name, value: scan(pair.value))
        }
    }

    private mutating func hide(_ pair: HARPair) -> HARPair {
        var value = Redaction.placeholder
        switch pair.name.lowercased() {
        case "cookie": keepCookies(pair.value.split(separator: ";")[...])
        case "set-cookie": value = hideCookie(pair.value)
        case let name where name.hasSuffix("authorization"): keepCredentials(pair.value)
        default: keep(pair.value)
        }
        return HARPair(name: pair.name, value: value)
    }

    /// A `Set-Cookie` field without its value; name and attributes, which are common words, remain.
    private mutating func hideCookie(_ field: String) -> String {
        let cookie = field.prefix { $0 != ";" }
        keepCookies([cookie])
        guard let equals = cookie.firstIndex(of: "=") else { return Redaction.placeholder }
        return cookie[...equals] + Redaction.placeholder + field[cookie.endIndex...]
    }

    /// Adds the values of cookies to the secrets.
    private mutating func keepCookies(_ pairs: ArraySlice<Substring>) {
        for pair in pairs {
            guard let equals = pair.firstIndex(of: "=") else { continue }
            keep(pair[pair.index(after: equals)...].trimmingSpacesAndTabs().trimming("\""))
        }
    }

    /// Adds what follows the scheme to the secrets, and the password of Basic credentials (RFC 7617), which a server
    /// may repeat in the clear, or the user if there is no password; of parameters, only those that are secret.
    private mutating func keepCredentials(_ value: String) {
        let scheme = value.prefix { $0 != " " }
        let rest = value[scheme.endIndex...].trimmingSpacesAndTabs()
        keep(rest.isEmpty ? scheme : rest)
        if scheme.lowercased() == "basic", let bytes = Data(base64Encoded: String(rest)) {
            let parts = String(decoding: bytes, as: UTF8.self)
                .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            keep(parts.count > 1 && !parts[1].isEmpty ? parts[1] : parts.first ?? "")
        }
        for parameter in rest.split(separator: ",") {
            guard let equals = parameter.firstIndex(of: "=") else { continue }
            let name = parameter[..<equals].trimmingSpacesAndTabs()
            guard name == "response" || redactor.isSecret(name) else { continue }
            keep(parameter[parameter.index(after: equals)...].trimmingSpacesAndTabs().trimming("\""))
        }
    }
}

extension HAREntry {
    /// The entry without known secrets, wherever they occur.
    fileprivate func replacing(_ secrets: SecretReplacer) -> HAREntry {
        var entry = self
        entry.request = request.replacing(secrets)
        entry._template = _template.map { secrets.replace(in: $0) }
        entry._name = _name.map { secrets.replace(in: $0) }
        entry.response.statusText = secrets.replace(in: response.statusText)
        entry.response.headers = response.headers.map { $0.replacing(secrets) }
        entry.response.cookies = response.cookies.map { $0.replacing(secrets) }
        entry.response.redirectURL = secrets.replace(in: response.redirectURL)
        entry.response.content = response.content.replacing(secrets, coded: response.codings)
        if let failure = _failure { entry._failure?.reason = secrets.replace(in: failure.reason) }
        return entry
    }
}

extension HARRequest {
    fileprivate func replacing(_ secrets: SecretReplacer) -> HARRequest {
        var request = self
        request.headers = headers.map { $0.replacing(secrets) }
        request.cookies = cookies.map { $0.replacing(secrets) }
        request.queryString = queryString.map { $0.replacing(secrets) }
        request.url = secrets.replace(in: url)
        request.postData = postData.map { $0.replacing(secrets) }
        return request
    }
}

extension HARPair {
    fileprivate func replacing(_ secrets: SecretReplacer) -> HARPair {
        HARPair(name: name, value: secrets.replace(in: value))
    }
}

extension Substring {
    fileprivate func trimming(_ character: Character) -> Substring {
        guard count > 1, first == character, last == character else { return self }
        return dropFirst().dropLast()
    }
}
