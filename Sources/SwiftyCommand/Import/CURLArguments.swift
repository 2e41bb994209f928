// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a curl command asks for.
struct CURLArguments: Equatable {
    var method: String?
    var url: String?
    var headers: [RequestPlan.Pair] = []
    /// The parts of the content, in order; curl joins them with `&`.
    var data: [String] = []
    var form: [PlannedContent.Part] = []
    var uploadedFile: String?
    var user: String?
    var sendsDataInQuery = false
    var isHead = false
    var isJSON = false
    var timeout: Double?
    var connectTimeout: Double?
    var retries: Int?
    /// Options that a request cannot express: what follows them is set on the `Swifty`.
    var notes: [String] = []

    /// Parses the words of a command.
    ///
    /// - Throws: ``UsageError`` for what is no curl command, or has an option that is not known.
    init(_ words: [String]) throws(UsageError) {
        guard let program = words.first, program == "curl" || program.hasSuffix("/curl") else {
            throw UsageError("This is no curl command.", hint: "Quote it: swifty import 'curl https://…'.")
        }
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            if word == "--" { for word in rest { url = url ?? word } }
            if word == "--" { break }
            try take(word, &rest)
        }
        if url == nil { throw UsageError("The curl command has no URL.") }
    }

    private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        if word.hasPrefix("--") {
            let name = String(word.dropFirst(2))
            return try set(Self.shortNames[name] ?? name, &rest)
        }
        guard word.hasPrefix("-"), word.count > 1 else {
            url = url ?? word
            return
        }
        try takeShort(word.dropFirst(), &rest)
    }

    /// `-sSL`, `-XPOST`, `-H 'A: b'`.
    private mutating func takeShort(_ letters: Substring, _ rest: inout ArraySlice<String>) throws(UsageError) {
        var letters = letters
        while let letter = letters.popFirst() {
            if Self.takesValue(String(letter)), !letters.isEmpty {
                rest.insert(String(letters), at: rest.startIndex)
                letters = ""
            }
            try set(String(letter), &rest)
        }
    }
}

extension CURLArguments {
    /// The one name of options that have several.
    private static let shortNames: [String: String] = [
        "request": "X", "header": "H", "data": "d", "data-ascii": "d", "form": "F", "user": "u", "user-agent": "A",
        "referer": "e", "cookie": "b", "get": "G", "head": "I", "location": "L", "insecure": "k", "max-time": "m",
        "proxy": "x", "upload-file": "T", "silent": "s", "show-error": "S", "verbose": "v", "include": "i",
        "output": "o", "remote-name": "O", "fail": "f",
    ]

    /// Options that change only what curl prints or where it writes.
    private static let withoutEffect: Set<String> = [
        "s", "S", "v", "i", "O", "f", "#", "compressed", "globoff", "g", "no-progress-meter", "fail-with-body", "N",
    ]

    /// Options that belong to a `Swifty.Configuration`.
    private static let settings: [String: String] = [
        "L": "redirects are followed", "k": "the certificate is not verified: transport.tls.unverifiedHosts",
        "http1.1": "HTTP/1.1 alone: transport.connections.version", "http2": "HTTP/2: transport.connections.version",
        "4": "IPv4 alone: transport.addresses.family", "6": "IPv6 alone: transport.addresses.family",
        "tlsv1.2": "TLS 1.2 at least: transport.tls.minimumVersion",
        "tlsv1.3": "TLS 1.3 at least: transport.tls.minimumVersion",
    ]

    /// Options with a value that belong to a `Swifty.Configuration`.
    private static let settingsWithValue: [String: String] = [
        "x": "proxy: transport.proxy", "cacert": "authorities: transport.tls.trust",
        "cert": "certificate: transport.tls.identity", "E": "certificate: transport.tls.identity",
        "key": "key of the certificate: transport.tls.identity", "max-redirs": "redirects at most",
        "resolve": "address: transport.addresses.overrides", "unix-socket": "transport.addresses.unixSocketPath",
        "interface": "transport.addresses.localInterface", "c": "cookies are kept", "cookie-jar": "cookies are kept",
        "w": "", "write-out": "", "o": "",
    ]

    private static let request: Set<String> = [
        "X", "H", "d", "data-raw", "data-binary", "data-urlencode", "json", "F", "form-string", "T", "u", "A", "e", "b",
        "m", "connect-timeout", "retry", "url",
    ]

    private static func takesValue(_ name: String) -> Bool {
        request.contains(name) || settingsWithValue[name] != nil
    }

    private mutating func set(_ name: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        if Self.takesValue(name) {
            guard let value = rest.popFirst() else { throw UsageError("The option \"\(name)\" has no value.") }
            if let note = Self.settingsWithValue[name] {
                if !note.isEmpty { notes.append("\(note) (\(value))") }
            } else {
                try set(name, value)
            }
        } else if let note = Self.settings[name] {
            notes.append(note)
        } else if !Self.withoutEffect.contains(name) {
            try setFlag(name)
        }
    }

    private mutating func setFlag(_ name: String) throws(UsageError) {
        switch name {
        case "G": sendsDataInQuery = true
        case "I": isHead = true
        default: throw UsageError("The curl option \"\(name.count == 1 ? "-" : "--")\(name)\" is not known here.")
        }
    }

    private mutating func set(_ name: String, _ value: String) throws(UsageError) {
        switch name {
        case "X": method = value.uppercased()
        case "H": addHeader(value)
        case "d", "data-binary", "data-raw": data.append(value)
        case "data-urlencode": data.append(Self.encoded(value))
        case "json":
            isJSON = true
            data.append(value)
        case "F", "form-string": try addPart(value)
        case "T": uploadedFile = value
        case "u": user = value
        case "A": headers.append(.init(name: "User-Agent", value: value))
        case "e": headers.append(.init(name: "Referer", value: value))
        case "b": headers.append(.init(name: "Cookie", value: value))
        case "m": timeout = Double(value)
        case "connect-timeout": connectTimeout = Double(value)
        case "retry": retries = Int(value)
        default: url = url ?? value
        }
    }
}

extension CURLArguments {
    /// `Name: value`, or `Name;` for an empty one; `Name:` takes a field away and adds none.
    private mutating func addHeader(_ text: String) {
        if let colon = text.firstIndex(of: ":") {
            let value = text[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
            if !value.isEmpty { headers.append(.init(name: String(text[..<colon]), value: value)) }
        } else if text.hasSuffix(";") {
            headers.append(.init(name: String(text.dropLast()), value: ""))
        }
    }

    private mutating func addPart(_ text: String) throws(UsageError) {
        guard let equals = text.firstIndex(of: "=") else { throw UsageError("The form part \"\(text)\" has no \"=\".") }
        let name = String(text[..<equals])
        let value = String(text[equals...].dropFirst())
        let path = value.prefix { $0 != ";" }.dropFirst()
        form.append(.init(name: name, content: value.hasPrefix("@") ? .file(String(path)) : .text(value)))
    }

    /// `name=content` or `content`, of which the content is encoded.
    private static func encoded(_ text: String) -> String {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let value = FormText.encode([.init(name: "", value: parts.last ?? "")]).dropFirst()
        return parts.count == 2 && !parts[0].isEmpty ? "\(parts[0])=\(value)" : String(value)
    }
}
