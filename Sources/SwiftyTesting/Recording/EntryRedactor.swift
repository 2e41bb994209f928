// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// Replaces the secrets of one entry before it is stored.
struct EntryRedactor {
    let redaction: CassetteRedaction
    /// The secret values that were found so far, which are replaced wherever else they occur.
    private var found: Set<String>
    /// Shorter values, such as "1", would be found everywhere.
    private static let minimumLength = 5
    /// The length from which on a value is replaced in all other entries, too: there, it may be a common word.
    private static let minimumLengthElsewhere = 10

    init(_ redaction: CassetteRedaction) {
        self.redaction = redaction
        found = redaction.values
    }

    /// The entries without their secrets, each also without those of the others.
    static func redact(_ entries: [HAREntry], _ redaction: CassetteRedaction) -> [HAREntry] {
        guard redaction.isEnabled else { return entries }
        var all = Set<String>()
        let own = entries.map { entry in
            var redactor = EntryRedactor(redaction)
            let entry = redactor.redact(entry)
            all.formUnion(redactor.found.filter { $0.utf8.count >= minimumLengthElsewhere })
            return entry
        }
        let replacer = SecretReplacer(all)
        return own.map { $0.replacing(replacer) }
    }

    /// The entry without its secrets.
    mutating func redact(_ entry: HAREntry) -> HAREntry {
        guard redaction.isEnabled else { return entry }
        var entry = entry
        entry.request = hideSecrets(of: entry.request)
        entry.response.headers = redact(entry.response.headers)
        entry.response.cookies = entry.response.cookies.map { hide($0) }
        entry.response.redirectURL = redact(url: entry.response.redirectURL)
        entry.response.content = redact(entry.response.content)
        return entry.replacing(SecretReplacer(found))
    }

    /// The request without its secrets.
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
        request.url = redact(url: request.url)
        request.postData = request.postData.map { redact($0) }
        return request
    }

    /// Adds a value to those that are replaced wherever they occur.
    mutating func keep(_ secret: some StringProtocol) {
        if secret.utf8.count >= Self.minimumLength, secret != Redaction.placeholder { found.insert(String(secret)) }
    }

    private mutating func redact(_ pairs: [HARPair]) -> [HARPair] {
        pairs.map { pair in
            if redaction.isSecret(pair.name) { return hide(pair) }
            let hasURL = ["location", "content-location", "referer", "link", "refresh"].contains(pair.name.lowercased())
            return hasURL ? HARPair(name: pair.name, value: redact(url: pair.value)) : pair
        }
    }

    private mutating func hide(_ pair: HARPair) -> HARPair {
        keep(pair.value)
        switch pair.name.lowercased() {
        case "cookie": keepCookies(pair.value.split(separator: ";")[...])
        case "set-cookie": keepCookies(pair.value.split(separator: ";").prefix(1))
        case let name where name.hasSuffix("authorization"): keepCredentials(pair.value)
        default: break
        }
        return HARPair(name: pair.name, value: Redaction.placeholder)
    }

    /// Keeps the values of cookies; their names and attributes are common words.
    private mutating func keepCookies(_ pairs: ArraySlice<Substring>) {
        for pair in pairs {
            guard let equals = pair.firstIndex(of: "=") else { continue }
            keep(pair[pair.index(after: equals)...].trimmingSpacesAndTabs().trimming("\""))
        }
    }

    /// Keeps what follows the scheme, and the password of Basic credentials (RFC 7617), which a server may repeat in
    /// the clear; of parameters, only those that are secret.
    private mutating func keepCredentials(_ value: String) {
        let scheme = value.prefix { $0 != " " }
        let rest = value[scheme.endIndex...].trimmingSpacesAndTabs()
        keep(rest)
        if scheme.lowercased() == "basic", let bytes = Data(base64Encoded: String(rest)) {
            let text = String(decoding: bytes, as: UTF8.self)
            if let colon = text.firstIndex(of: ":") { keep(text[text.index(after: colon)...]) }
        }
        for parameter in rest.split(separator: ",") {
            guard let equals = parameter.firstIndex(of: "=") else { continue }
            let name = parameter[..<equals].trimmingSpacesAndTabs()
            guard name == "response" || redaction.isSecret(name) else { continue }
            keep(parameter[parameter.index(after: equals)...].trimmingSpacesAndTabs().trimming("\""))
        }
    }

    /// A URL, or a reference, without its credentials and the values of secret parameters.
    mutating func redact(url: String) -> String {
        if let userinfo = url.userinfo, let colon = userinfo.firstIndex(of: ":") {
            keep(PercentEncoding.decode(String(userinfo[userinfo.index(after: colon)...])))
        }
        guard let mark = url.firstIndex(of: "?") else { return Redaction.redact(reference: url) }
        for item in FormBody.items(String(url[url.index(after: mark)...])) where redaction.isSecret(item.name) {
            keep(item.value)
        }
        var parts: [String] = []
        for pair in url[url.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false) {
            let name = pair.prefix { $0 != "=" }
            let isSecret = redaction.isSecret(PercentEncoding.decode(String(name)))
            parts.append(isSecret ? "\(name)=\(Redaction.placeholder)" : String(pair))
        }
        return Redaction.redact(reference: url[...mark] + parts.joined(separator: "&"))
    }
}

extension HAREntry {
    /// The entry without secrets that are known, wherever they occur.
    fileprivate func replacing(_ secrets: SecretReplacer) -> HAREntry {
        var entry = self
        entry.request = request.replacing(secrets)
        entry.response.headers = response.headers.map { $0.replacing(secrets) }
        entry.response.redirectURL = secrets.replace(in: response.redirectURL)
        entry.response.content = response.content.replacing(secrets)
        if let failure = _failure { entry._failure?.reason = secrets.replace(in: failure.reason) }
        return entry
    }
}

extension HARRequest {
    fileprivate func replacing(_ secrets: SecretReplacer) -> HARRequest {
        var request = self
        request.headers = headers.map { $0.replacing(secrets) }
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

extension HARContent {
    fileprivate func replacing(_ secrets: SecretReplacer) -> HARContent {
        var content = self
        if encoding == nil {
            content.text = text.map { secrets.replace(in: $0) }
        } else if let bytes, let replaced = secrets.replace(in: Array(bytes)) {
            content.text = Data(replaced).base64EncodedString()
        }
        return content
    }
}

extension String {
    /// The credentials in a URL.
    fileprivate var userinfo: Substring? {
        guard let slashes = firstRange(of: "//") else { return nil }
        let authority = self[slashes.upperBound...].prefix { !"/?#".contains($0) }
        return authority.lastIndex(of: "@").map { authority[..<$0] }
    }
}

extension Substring {
    fileprivate func trimming(_ character: Character) -> Substring {
        guard count > 1, first == character, last == character else { return self }
        return dropFirst().dropLast()
    }
}
