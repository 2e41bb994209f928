// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// A curl command as the arguments of `swifty send`, which send what curl would send.
///
/// Where the defaults differ, curl's apply: `http` for a URL without a scheme, the media type of a form for `-d`, no
/// compression, the proxy of the environment, and the content alone as output.
struct CURLCall {
    /// The arguments of `send`.
    private(set) var arguments: [String] = []
    /// The options that have no counterpart, and do not change the request.
    private(set) var dropped: [String] = []

    private var items: [String] = []
    private var url: String?
    private var data = CURLData()
    private var cookies: [String] = []
    private var cookieFile: String?
    private var proxy: String?
    private var proxyLogin: String?
    private var usesEnvironment = true
    private var query: [String] = []
    /// The options that appear, by their long names.
    private var names: Set<String> = []
    private var method: String?

    /// - Parameter words: The words after `curl`.
    /// - Throws: ``UsageError`` for an option that would change the request if it were left out.
    init(_ words: some Sequence<String>) throws(UsageError) {
        let words = try UsageError.wrapping { () throws(CURLError) in try CURLWords(words) }
        for element in words.elements { try add(element) }
        try finish()
    }

    private mutating func setURL(_ text: String) throws(UsageError) {
        if url != nil { throw UsageError(secondURL: text, hint: "Each command sends one request.") }
        url = text
    }

    private mutating func add(_ element: CURLWords.Element) throws(UsageError) {
        let name = element.option.name
        let value = element.value
        names.insert(name)
        if let arguments = CURLNames.flags[name] {
            self.arguments += arguments
        } else if let own = CURLNames.values[name] {
            // Zero means no limit in curl.
            if !(CURLNames.limits.contains(name) && Double(value) == 0) { arguments.append("\(own)=\(value)") }
        } else if CURLData.options.contains(name) {
            try data.add(value, by: name)
        } else if try !addItem(name, value), try !addRoute(name, value) {
            try leaveOut(element)
        }
    }

    private mutating func leaveOut(_ element: CURLWords.Element) throws(UsageError) {
        let option = element.option
        if case .refused(let reason) = option.role {
            throw UsageError("The curl option \"\(element.word)\" cannot be carried over: \(reason)")
        }
        if let meant = CURLNames.refused[option.name] { throw ForeignOption.refusal(of: element.word, meant: meant) }
        if option.role != .standard { dropped.append(element.text) }
    }

    /// Translates an option that becomes an item. Returns `false` for any other.
    private mutating func addItem(_ name: String, _ value: String) throws(UsageError) -> Bool {
        switch name {
        case "header" where value.lowercased().hasPrefix("host:") && value.dropFirst(5).allSatisfy(\.isWhitespace):
            dropped.append("-H '\(value)'")
        case "header": items.append(try CURLItem.fieldItem(value))
        case "user-agent": items.append(try CURLItem.fieldItem("User-Agent: \(value)"))
        case "referer":
            let referer = value.hasSuffix(";auto") ? String(value.dropLast(5)) : value
            if !referer.isEmpty { items.append(try CURLItem.fieldItem("Referer: \(referer)")) }
        case "range": items.append(try CURLItem.fieldItem("Range: bytes=\(value)"))
        case "cookie" where value.contains("="): cookies.append(value)
        case "cookie", "cookie-jar": try setCookieFile(value)
        case "url": try setURL(value)
        case "url-query":
            query.append(value.hasPrefix("+") ? String(value.dropFirst()) : try CURLData.encoded(value))
        default: return false
        }
        return true
    }

    private mutating func setCookieFile(_ path: String) throws(UsageError) {
        if let cookieFile, cookieFile != path {
            throw UsageError("-b and -c name two files.", hint: "--cookies reads and writes one.")
        }
        cookieFile = path
    }

    /// Translates an option about the route of the request and its response. Returns `false` for any other.
    private mutating func addRoute(_ name: String, _ value: String) throws(UsageError) -> Bool {
        switch name {
        case "request": method = value
        case "user": arguments += try ForeignOptions.credential(value).arguments
        case "proxy": proxy = value.contains("://") ? value : "http://\(value)"
        case "socks5", "socks5-hostname": proxy = "\(name == "socks5" ? "socks5" : "socks5h")://\(value)"
        case "proxy-user": proxyLogin = value
        case "noproxy" where value == "*": usesEnvironment = false
        case "output": arguments += ["-o", value]
        case "continue-at" where value == "-": arguments.append("--continue")
        case "continue-at": items.append("Range: bytes=\(value)-")
        case "pinnedpubkey": arguments += value.split(separator: ";").map { "--pin=\($0)" }
        case "max-redirs": arguments.append("--max-redirects=\(value == "-1" ? "1000" : value)")
        case "oauth2-bearer": arguments += ["--auth=\(value)", "--auth-type=bearer"]
        default: return false
        }
        return true
    }
}

extension CURLCall {
    private mutating func finish() throws(UsageError) {
        guard let url else { throw UsageError("The curl command has no URL.", hint: "swifty curl https://…") }
        if !names.contains("globoff"), CURLWords.hasPattern(url) {
            throw UsageError("curl would expand {…} and […] in the URL.", hint: "Write one URL, or -g in front of it.")
        }
        if names.contains("max-redirs"), !names.contains("location"), !names.contains("location-trusted") {
            arguments.removeAll { $0.hasPrefix("--max-redirects") }
        }
        if let cookieFile { arguments.append("--cookies=\(cookieFile)") }
        if !cookies.isEmpty { items.append(try CURLItem.fieldItem("Cookie: \(cookies.joined(separator: "; "))")) }
        if !names.contains("compressed"), !items.contains(where: { $0.lowercased().hasPrefix("accept-encoding") }) {
            items.append("Accept-Encoding:")
        }
        try finishProxy()
        try finishContent()
        if let method = names.contains("head") ? "HEAD" : method { arguments.append("--request=\(method)") }
        finishOutput()
        arguments += ["--", complete(url)] + items
    }

    private mutating func finishProxy() throws(UsageError) {
        guard var proxy else {
            if usesEnvironment { arguments.append("--proxy-env") }
            return
        }
        if let proxyLogin, let host = proxy.firstRange(of: "://")?.upperBound {
            let parts = proxyLogin.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let login = parts.map { PercentEncoding.encode(String($0)) }.joined(separator: ":")
            proxy.insert(contentsOf: "\(login)@", at: host)
        }
        arguments.append("--proxy=\(proxy)")
    }

    private mutating func finishContent() throws(UsageError) {
        let isQuery = names.contains("get")
        items += data.items
        if isQuery { query.append(try data.text()) }
        if !isQuery { arguments += try data.arguments() }
        if !isQuery, data.isSent, method?.uppercased() == "GET" { arguments.append("--allow-content") }
        let readsInput =
            data.readsInput || arguments.contains("--upload-file=-") || arguments.contains("--upload-file=.")
        // curl names no type for a file that it uploads.
        if names.contains("upload-file"), !items.contains(where: { $0.lowercased().hasPrefix("content-type") }) {
            items.append("Content-Type:")
        }
        if !readsInput { arguments.append("--ignore-stdin") }
    }

    /// curl prints the content alone, with `-i` also the head.
    private mutating func finishOutput() {
        if names.contains("verbose") {
            arguments.append("--verbose")
        } else if names.contains("include") || names.contains("head") {
            arguments.append("--print=hb")
        } else if names.isDisjoint(with: ["output", "remote-name"]) {
            arguments.append("--body")
        }
    }

    private func complete(_ url: String) -> String {
        let url = url.contains("://") || url.hasPrefix(":") ? url : "http://\(url)"
        let added = query.filter { !$0.isEmpty }.joined(separator: "&")
        if added.isEmpty { return url }
        let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        return "\(parts[0])\(parts[0].contains("?") ? "&" : "?")\(added)"
    }
}

/// The options of curl that correspond to one option of `send`, by their long names.
private enum CURLNames {
    static let flags: [String: [String]] = [
        "location": ["--follow"], "location-trusted": ["--follow"], "insecure": ["--verify=no"], "include": [],
        "silent": ["--quiet"], "show-error": ["--show-error"], "fail": ["--check-status"],
        "fail-with-body": ["--check-status"], "no-buffer": ["--stream"], "remote-name": ["--download"],
        "remote-header-name": [], "digest": ["--auth-type=digest"], "tlsv1.2": ["--tls-min=1.2"],
        "tlsv1.3": ["--tls-min=1.3"], "http1.1": ["--http=1.1"], "http2": [], "ipv4": ["-4"], "ipv6": ["-6"],
        "retry-all-errors": ["--retry-all"], "retry-connrefused": [], "verbose": [], "head": [], "get": [],
        "globoff": [], "progress-bar": [], "no-progress-meter": [],
    ]

    static let values: [String: String] = [
        "max-time": "--timeout", "connect-timeout": "--connect-timeout", "speed-time": "--idle-timeout",
        "max-filesize": "--max-body", "limit-rate": "--limit-rate", "cacert": "--ca", "cert": "--cert",
        "key": "--cert-key", "resolve": "--resolve", "unix-socket": "--unix-socket", "interface": "--interface",
        "retry": "--retry", "upload-file": "--upload-file",
    ]

    static let limits: Set<String> = ["max-time", "connect-timeout", "speed-time", "max-filesize", "limit-rate"]

    /// The options that cannot be omitted without changing the request, and what to use instead.
    static let refused: [String: String] = [
        "connect-to": "--resolve HOST:PORT:ADDR", "netrc": "--user USER:PASS", "netrc-file": "--user USER:PASS",
        "netrc-optional": "--user USER:PASS", "time-cond": "-H 'If-Modified-Since: DATE'", "capath": "--cacert FILE",
        "crlfile": "--cacert FILE", "proxy1.0": "--proxy URL", "http1.0": "--http1.1", "http3": "--http2",
        "http3-only": "--http2", "noproxy": "--noproxy '*'", "parallel": "swifty batch", "form-escape": "-F name=value",
        "etag-compare": "-H 'If-None-Match: ETAG'",
    ]
}
