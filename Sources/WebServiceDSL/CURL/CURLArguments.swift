// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// The request of a curl command. Everything that cannot be expressed is named in ``dropped``.
package struct CURLArguments: Equatable {
    /// A header field.
    package struct Field: Equatable {
        package var name: String
        package var value: String
        /// Whether it is made of an option other than `-H`: then a field of `-H` replaces it.
        fileprivate var isImplied = false
    }

    /// The method as it is typed.
    package private(set) var method: String?
    package private(set) var url: String?
    package private(set) var headers: [Field] = []
    /// The names of fields that are left out, although they are sent by default.
    package private(set) var removedHeaders: [String] = []
    package private(set) var content = CURLContent()
    package private(set) var user: String?
    package private(set) var usesDigest = false
    package private(set) var queryAdditions: [String] = []
    package private(set) var isHead = false
    package private(set) var expandsURL = true
    package private(set) var timeout: Double?
    package private(set) var connectTimeout: Double?
    package private(set) var retries: Int?
    /// The rate of each direction, in bytes a second.
    package private(set) var rate: Int?
    /// The file or folder that the content is written to; `nil` for standard output.
    package private(set) var output: String?
    /// Whether the content is to be printed as it arrives.
    package private(set) var isUnbuffered = false
    /// Options that are settings of the `Swifty` instead of the request.
    package private(set) var notes: [String] = []
    /// Options with their values, and effects of options, that have no counterpart.
    package private(set) var dropped: [String] = []
    /// The options that are in ``notes`` or in ``dropped``.
    package private(set) var uncarried: [CURLWords.Element] = []
    /// Effects that a request would need in order to be that of the command, without values.
    package private(set) var losses: [String] = []

    /// Parses the words of a command.
    ///
    /// - Throws: ``CURLError`` if it is not a curl command, or has an option that is unknown or cannot be omitted.
    package init(_ words: [String]) throws(CURLError) {
        guard let program = words.first, program == "curl" || program.hasSuffix("/curl") else {
            throw CURLError("This is not a curl command.", hint: "Quote it: swifty import 'curl https://…'.")
        }
        for element in try CURLWords(words.dropFirst()).elements { try apply(element) }
        try finish()
    }

    private mutating func apply(_ element: CURLWords.Element) throws(CURLError) {
        let option = element.option
        if UndecodedBytes.areIn(element.value), !CURLContent.binaryOptions.contains(option.name) {
            throw CURLError("The value of the curl option \"\(element.word)\" is not text.")
        }
        if try set(option.name, element) { return }
        switch option.role {
        case .standard: return
        case .setting(let note): notes.append(option.takesValue ? "\(note) (\(element.value))" : note)
        case .dropped: dropped.append(element.text)
        case .refused(let reason):
            throw CURLError("The curl option \"\(element.word)\" cannot be carried over: \(reason)")
        }
        uncarried.append(element)
    }

    private mutating func setURL(_ text: String) throws(CURLError) {
        if url != nil {
            throw CURLError(
                "\"\(Redaction.redact(reference: text))\" is a second URL.",
                hint: "Give only one curl request, without a pipe.",
                reason: "the curl command has a second URL, or a word that is not quoted"
            )
        }
        url = text
    }

    /// Applies an option that is a part of the request. Returns `false` for any other.
    private mutating func set(_ name: String, _ element: CURLWords.Element) throws(CURLError) -> Bool {
        let value = element.value
        switch name {
        case "request": method = value
        case "header": try addHeader(value)
        case "get": content.goesIntoQuery = true
        case "head": isHead = true
        case "globoff": expandsURL = false
        case "user": user = value
        case "digest": usesDigest = true
        case "max-time": timeout = try Self.number(element)
        case "connect-timeout": connectTimeout = try Self.number(element)
        case "limit-rate": rate = try Self.byteCount(element)
        case "retry": retries = Int(try Self.number(element) ?? 0)
        case "output": output = value == "-" ? nil : value
        case "remote-name": output = "."
        // A download continues after the existing bytes, but only after those that Swifty has written.
        case "continue-at" where value == "-": break
        case "no-buffer": isUnbuffered = true
        case "url-query" where value.hasPrefix("+"): queryAdditions.append(String(value.dropFirst()))
        case "url-query": queryAdditions.append(try CURLContent.encoded(value))
        case "url": try setURL(value)
        case _ where CURLContent.options.contains(name): try addContent(element)
        default: return setField(name, value)
        }
        return true
    }

    private mutating func addContent(_ element: CURLWords.Element) throws(CURLError) {
        guard let effect = try content.add(element.value, by: element.option.name) else { return }
        dropped.append("\(effect) (\(element.text))")
    }
}

extension CURLArguments {
    /// The parts that depend on several options.
    private mutating func finish() throws(CURLError) {
        guard let url else { throw CURLError("The curl command has no URL.") }
        if content.isSent, isHead || method?.uppercased() == "HEAD" {
            throw CURLError("Swifty sends no content with \(method?.uppercased() ?? "HEAD").")
        }
        try content.finish()
        let own = Set(headers.filter { !$0.isImplied }.map { $0.name.lowercased() })
        headers.removeAll { $0.isImplied && own.contains($0.name.lowercased()) }
        if usesDigest {
            notes.append("Digest for this server: credentials, with .digest(user:password:) (\(user ?? ""))")
        }
        if let user, !user.contains(":") {
            drop("curl's prompt for the password of \(user)", reason: "curl would ask for the password of -u")
        }
        if content.isForm, own.contains("content-type") { dropped.append("the Content-Type field beside a form") }
        if expandsURL, CURLWords.hasPattern(url) {
            drop("curl's expansion of {…} and […] in the URL", reason: "curl would expand {…} or […] in the URL")
        }
        if content.hasUnknownParameter { losses.append("a part of -F has a parameter that cannot be carried over") }
    }

    private mutating func drop(_ text: String, reason: String) {
        dropped.append(text)
        losses.append(reason)
    }
}

// MARK: - Fields

extension CURLArguments {
    /// The fields that a request cannot omit.
    private static let indispensable: Set<String> = ["host", "content-length", "transfer-encoding"]

    /// `Name: value`, or `Name;` for an empty one; `Name:` removes a field.
    private mutating func addHeader(_ text: String) throws(CURLError) {
        if text.hasPrefix("@") {
            throw CURLError(
                "The header fields in the file \(text.dropFirst()) are not known.",
                reason: "-H names a file of header fields"
            )
        }
        let name = text.prefix { !":;".contains($0) }
        let mark = text.dropFirst(name.count).first
        let value = text.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
        let isEmptied = text.hasSuffix(";") && value.isEmpty && mark == ";"
        if value.isEmpty, mark == ":", !name.isEmpty, !Self.indispensable.contains(name.lowercased()) {
            return removedHeaders.append(String(name))
        }
        if !isEmptied, value.isEmpty || mark != ":" {
            return drop("-H '\(text)'", reason: "a value of -H is no header field with a value")
        }
        headers.append(Field(name: String(name), value: value))
    }

    /// Applies an option that sets one field. Returns `false` for any other.
    private mutating func setField(_ option: String, _ value: String) -> Bool {
        switch option {
        case "oauth2-bearer": setImplied("Authorization", "Bearer \(value)")
        case "user-agent" where value.isEmpty: removedHeaders.append("User-Agent")
        case "user-agent": setImplied("User-Agent", value)
        case "referer": setReferer(value)
        case "cookie": addCookie(value)
        case "range": setImplied("Range", "bytes=\(value)")
        default: return false
        }
        return true
    }

    /// Sets a field; the last option of its kind counts.
    private mutating func setImplied(_ name: String, _ value: String) {
        headers.removeAll { $0.isImplied && $0.name == name }
        headers.append(Field(name: name, value: value, isImplied: true))
    }

    private mutating func setReferer(_ value: String) {
        let url = value.hasSuffix(";auto") ? String(value.dropLast(5)) : value
        if url != value { drop("-e with ;auto", reason: "-e has \";auto\", a Referer for redirects") }
        if !url.isEmpty { setImplied("Referer", url) }
    }

    /// Adds a cookie `name=value`, or records the name of a file.
    private mutating func addCookie(_ value: String) {
        if !value.contains("=") {
            notes.append("cookies come from a file: cookies (\(value))")
            losses.append("-b names a file of cookies")
        } else if let index = headers.firstIndex(where: { $0.isImplied && $0.name == "Cookie" }) {
            headers[index].value += "; \(value)"
        } else {
            headers.append(Field(name: "Cookie", value: value, isImplied: true))
        }
    }

    /// Whether a field of the name is set, in any case.
    package func hasHeader(_ name: String) -> Bool {
        headers.contains { $0.name.lowercased() == name.lowercased() }
    }
}

// MARK: - Numbers

extension CURLArguments {
    /// A number of bytes above zero; `nil` for zero, which means no limit in curl.
    package static func byteCount(_ element: CURLWords.Element) throws(CURLError) -> Int? {
        if Int(element.value) == 0 { return nil }
        if let count = ByteCountText.value(of: element.value) { return count }
        throw unusable(element, "number of bytes")
    }

    /// A number above zero; `nil` for zero, which means no limit in curl.
    private static func number(_ element: CURLWords.Element) throws(CURLError) -> Double? {
        guard let number = Double(element.value), (0...31_536_000).contains(number) else {
            throw unusable(element, "number")
        }
        return number > 0 ? number : nil
    }

    private static func unusable(_ element: CURLWords.Element, _ kind: String) -> CURLError {
        CURLError(
            "The value of \"\(element.text)\" is not a usable \(kind).",
            reason: "the value of the curl option \"\(element.word)\" is not a usable \(kind)"
        )
    }
}
