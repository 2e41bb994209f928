// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// What is kept out of a cassette.
public struct CassetteRedaction: Sendable {
    /// Names of header fields, query parameters, form fields and JSON members whose values are secret, beside those
    /// that Swifty knows (`Authorization`, `Cookie`, `access_token`, `password` and others). Compared without case.
    public var names: Set<String> = []
    /// Values that are secret wherever they occur.
    public var values: Set<String> = []
    /// Whether anything is replaced. `false` stores every secret in the file.
    public var isEnabled = true

    /// Makes the default: the secrets that Swifty knows by their names.
    public init() {}

    /// No redaction.
    public static var off: CassetteRedaction {
        var redaction = CassetteRedaction()
        redaction.isEnabled = false
        return redaction
    }

    func isSecret(_ name: some StringProtocol) -> Bool {
        isEnabled
            && (Redaction.isSecret(name: name) || names.contains { $0.lowercased() == name.lowercased() })
    }
}

/// Replaces the secrets of one entry before it is stored.
struct EntryRedactor {
    private let redaction: CassetteRedaction
    /// The secret values that were found so far, which are replaced wherever else they occur.
    private var found: Set<String>
    /// Shorter values, such as "1", would be found everywhere.
    private static let minimumLength = 5

    init(_ redaction: CassetteRedaction) {
        self.redaction = redaction
        found = redaction.values
    }

    /// The entry without its secrets.
    mutating func redact(_ entry: HAREntry) -> HAREntry {
        guard redaction.isEnabled else { return entry }
        var entry = entry
        entry.request.headers = redact(entry.request.headers)
        entry.request.queryString = redact(entry.request.queryString)
        entry.request.cookies = entry.request.cookies.map { hide($0) }
        entry.request.url = redact(url: entry.request.url)
        entry.response.headers = redact(entry.response.headers)
        entry.response.cookies = entry.response.cookies.map { hide($0) }
        entry.response.redirectURL = redact(url: entry.response.redirectURL)
        entry.request.postData = entry.request.postData.map { redact($0) }
        entry.response.content = redact(entry.response.content)
        if let failure = entry._failure { entry._failure?.reason = replaceFound(failure.reason) }
        replaceFoundEverywhere(&entry)
        return entry
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
        // The credential behind its scheme, and the values of cookies.
        for part in pair.value.split(whereSeparator: { " ;,=".contains($0) }) { keep(String(part)) }
        return HARPair(name: pair.name, value: Redaction.placeholder)
    }

    private mutating func keep(_ secret: String) {
        if secret.utf8.count >= Self.minimumLength, secret != Redaction.placeholder { found.insert(secret) }
    }

    private mutating func redact(url: String) -> String {
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

    private mutating func redact(_ content: HARContent) -> HARContent {
        guard content.encoding == nil, let text = content.text else { return content }
        var content = content
        let type = content.mimeType.lowercased()
        if type.contains("json") {
            content.text = redact(json: text)
        } else if type.contains("x-www-form-urlencoded") {
            content.text = String(redact(url: "?" + text).dropFirst())
        }
        return content
    }

    /// JSON with the values of secret members replaced, and otherwise as it was written.
    private mutating func redact(json: String) -> String {
        let bytes = Array(json.utf8)
        guard (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil else {
            return json
        }
        var ranges: [Range<Int>] = []
        findSecrets(in: bytes[...], &ranges)
        var (result, start) = ([UInt8](), 0)
        for range in ranges {
            result += bytes[start..<range.lowerBound] + "\"\(Redaction.placeholder)\"".utf8
            start = range.upperBound
        }
        return String(decoding: result + bytes[start...], as: UTF8.self)
    }

    private mutating func findSecrets(in value: ArraySlice<UInt8>, _ ranges: inout [Range<Int>]) {
        let slices = JSONSlices(value)
        for member in slices.members {
            if redaction.isSecret(member.name), !member.value.elementsEqual("null".utf8) {
                let text = try? JSONDecoder().decode(String.self, from: Data(member.value))
                keep(text ?? String(decoding: member.value, as: UTF8.self))
                ranges.append(member.value.startIndex..<member.value.endIndex)
            } else {
                findSecrets(in: member.value, &ranges)
            }
        }
    }

    // MARK: Secrets that occur elsewhere

    private func replaceFoundEverywhere(_ entry: inout HAREntry) {
        let replace = { (pairs: [HARPair]) in pairs.map { HARPair(name: $0.name, value: replaceFound($0.value)) } }
        entry.request.headers = replace(entry.request.headers)
        entry.request.queryString = replace(entry.request.queryString)
        entry.request.url = replaceFound(entry.request.url)
        entry.response.headers = replace(entry.response.headers)
        entry.response.redirectURL = replaceFound(entry.response.redirectURL)
        replaceFound(in: &entry.response.content)
        if var content = entry.request.postData {
            replaceFound(in: &content)
            entry.request.postData = content
        }
    }

    private func replaceFound(in content: inout HARContent) {
        guard content.encoding == nil, let text = content.text else { return }
        content.text = replaceFound(text)
    }

    /// The text without the secrets, also in percent-encoding. The longest first: one may be a part of another.
    private func replaceFound(_ text: String) -> String {
        var text = text
        for secret in found.sorted(by: { $0.utf8.count > $1.utf8.count }) {
            text = text.replacing(secret, with: Redaction.placeholder)
            let encoded = PercentEncoding.encode(secret)
            if encoded != secret { text = text.replacing(encoded, with: Redaction.placeholder) }
        }
        return text
    }
}
