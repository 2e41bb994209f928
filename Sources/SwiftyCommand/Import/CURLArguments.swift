// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The request of a curl command. Everything that cannot be expressed is named in ``dropped``.
struct CURLArguments: Equatable {
    var method: String?
    var url: String?
    var headers: [RequestPlan.Pair] = []
    /// The names of fields that are left out, although they are sent by default.
    var removedHeaders: [String] = []
    var content = CURLContent()
    var user: String?
    var usesDigest = false
    var queryAdditions: [String] = []
    var isHead = false
    var expandsURL = true
    var timeout: Double?
    var connectTimeout: Double?
    var retries: Int?
    /// The rate of each direction, in bytes a second.
    var rate: Int?
    /// The file or folder that the content is written to; `nil` for standard output.
    var output: String?
    /// Whether the content is to be printed as it arrives.
    var isUnbuffered = false
    /// Options that are settings of the `Swifty` instead of the request.
    var notes: [String] = []
    /// Options with their values, and effects of options, that have no counterpart.
    var dropped: [String] = []

    /// Parses the words of a command.
    ///
    /// - Throws: ``UsageError`` if it is not a curl command, or has an option that is unknown or cannot be omitted.
    init(_ words: [String]) throws(UsageError) {
        guard let program = words.first, program == "curl" || program.hasSuffix("/curl") else {
            throw UsageError("This is not a curl command.", hint: "Quote it: swifty import 'curl https://…'.")
        }
        for element in try CURLWords(words.dropFirst()).elements { try apply(element) }
        try finish()
    }

    private mutating func apply(_ element: CURLWords.Element) throws(UsageError) {
        let option = element.option
        if try set(option.name, value: element.value, text: element.text) { return }
        switch option.role {
        case .standard: break
        case .setting(let note): notes.append(option.takesValue ? "\(note) (\(element.value))" : note)
        case .dropped: dropped.append(element.text)
        case .refused(let reason):
            throw UsageError("The curl option \"\(element.word)\" cannot be carried over: \(reason)")
        }
    }

    private mutating func setURL(_ text: String) throws(UsageError) {
        if url != nil {
            throw UsageError(secondURL: text, hint: "Give only one curl request, without a pipe.")
        }
        url = text
    }

    /// Applies an option that is a part of the request. Returns `false` for any other.
    private mutating func set(_ name: String, value: String, text: String) throws(UsageError) -> Bool {
        switch name {
        case "request": method = value.uppercased()
        case "header": try addHeader(value)
        case "data", "data-ascii", "data-raw", "data-binary", "data-urlencode", "json", "form", "form-string",
            "upload-file":
            if let effect = try content.add(value, by: name) { dropped.append("\(effect) (\(text))") }
        case "get": content.goesIntoQuery = true
        case "head": isHead = true
        case "globoff": expandsURL = false
        case "user": user = value
        case "digest": usesDigest = true
        case "oauth2-bearer": headers.append(.init(name: "Authorization", value: "Bearer \(value)"))
        case "user-agent" where value.isEmpty: removedHeaders.append("User-Agent")
        case "user-agent": headers.append(.init(name: "User-Agent", value: value))
        case "referer": addReferer(value)
        case "cookie": addCookie(value)
        case "range": headers.append(.init(name: "Range", value: "bytes=\(value)"))
        case "max-time": timeout = try Self.number(text, value)
        case "connect-timeout": connectTimeout = try Self.number(text, value)
        case "limit-rate": rate = try Self.rate(text, value)
        case "retry": retries = Int(try Self.number(text, value) ?? 0)
        case "output": output = value == "-" ? nil : value
        case "remote-name": output = "."
        // A download continues after the existing bytes, but only after those that Swifty has written.
        case "continue-at" where value == "-": break
        case "no-buffer": isUnbuffered = true
        case "url-query" where value.hasPrefix("+"): queryAdditions.append(String(value.dropFirst()))
        case "url-query": queryAdditions.append(try CURLContent.encoded(value))
        case "url": try setURL(value)
        default: return false
        }
        return true
    }

    private mutating func finish() throws(UsageError) {
        guard let url else { throw UsageError("The curl command has no URL.") }
        if content.isSent, isHead || method == "HEAD" {
            throw UsageError("Swifty sends no content with \(method ?? "HEAD").")
        }
        if usesDigest {
            notes.append("Digest for this server: credentials, with .digest(user:password:) (\(user ?? ""))")
        }
        if let user, !user.contains(":") { dropped.append("curl's prompt for the password of \(user)") }
        if content.isForm, headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            dropped.append("the Content-Type field beside a form")
        }
        if expandsURL, CURLWords.hasPattern(url) {
            dropped.append("curl's expansion of {…} and […] in the URL")
        }
    }
}

extension CURLArguments {
    /// `Name: value`, or `Name;` for an empty one; `Name:` removes a field.
    private mutating func addHeader(_ text: String) throws(UsageError) {
        if text.hasPrefix("@") { throw UsageError("The header fields in the file \(text.dropFirst()) are not known.") }
        let name = text.prefix { !":;".contains($0) }
        let value = text.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
        let isEmptied = text.hasSuffix(";") && value.isEmpty && !text.contains(":")
        if value.isEmpty, text.dropFirst(name.count).first == ":", (try? RequestItem("\(name):")) != nil {
            return removedHeaders.append(String(name))
        }
        if !isEmptied, value.isEmpty || text.dropFirst(name.count).first != ":" {
            return dropped.append("-H '\(text)'")
        }
        headers.append(.init(name: String(name), value: value))
    }

    private mutating func addReferer(_ value: String) {
        let url = value.hasSuffix(";auto") ? String(value.dropLast(5)) : value
        if url != value { dropped.append("-e with ;auto") }
        if !url.isEmpty { headers.append(.init(name: "Referer", value: url)) }
    }

    /// Adds a cookie `name=value`, or records the name of a file.
    private mutating func addCookie(_ value: String) {
        if !value.contains("=") {
            notes.append("cookies come from a file: cookies (\(value))")
        } else if let index = headers.firstIndex(where: { $0.name == "Cookie" }) {
            headers[index].value += "; \(value)"
        } else {
            headers.append(.init(name: "Cookie", value: value))
        }
    }

    /// A number of bytes a second; `nil` for zero, which means no limit in curl.
    private static func rate(_ text: String, _ value: String) throws(UsageError) -> Int? {
        if Int(value) == 0 { return nil }
        if let count = ByteCount(argument: value) { return count.value }
        throw UsageError("The value of \"\(text)\" is not a usable number of bytes.")
    }

    /// A number above zero; `nil` for zero, which means no limit in curl.
    private static func number(_ text: String, _ value: String) throws(UsageError) -> Double? {
        guard let number = Double(value), (0...31_536_000).contains(number) else {
            throw UsageError("The value of \"\(text)\" is not a usable number.")
        }
        return number > 0 ? number : nil
    }
}
