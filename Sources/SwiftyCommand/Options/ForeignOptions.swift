// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// The options of curl and HTTPie that have different names here.
///
/// Where the two disagree, the meaning that cannot surprise users of the other one is implemented; options such as `-F`
/// are rejected with both meanings. Options without a counterpart are not listed: the parser rejects them.
enum ForeignOptions {
    static let all = flags + requests + routes + refused

    static let byName: [String: ForeignOption.Meaning] = Dictionary(
        all.flatMap { option in option.names.map { ($0, option.meaning) } },
        uniquingKeysWith: { first, _ in first }
    )

    private static let flags: [ForeignOption] = [
        .init("-L --location", .flag(["--follow"])),
        .init("-k --insecure", .flag(["--verify=no"])),
        .init("-I --head", .flag(["--request=HEAD"])),
        .init("-i --include", .flag(["--print=hb"])),
        .init("-s --silent --no-progress-meter", .flag(["--quiet"])),
        .init("--fail --fail-with-body", .flag(["--check-status"])),
        .init("-f", .flag(["--form"])),
        .init("-N --no-buffer", .flag(["--stream"])),
        .init("-O --remote-name -J --remote-header-name", .flag(["--download"])),
        // HTTPie's -v shows only the last exchange.
        .init("--all", .flag(["--verbose"])),
        .init("--headers", .flag(["--headers-only"])),
        .init("--offline", .flag(["--dry-run"])),
        .init("--basic", .flag(["--auth-type=basic"])),
        .init("--digest", .flag(["--auth-type=digest"])),
        .init("--tlsv1.2", .flag(["--tls-min=1.2"])),
        .init("--tlsv1.3", .flag(["--tls-min=1.3"])),
        .init("--http1.1", .flag(["--http=1.1"])),
        .init("--http2", .flag(["--http=2"])),
        .init("--retry-all-errors", .flag(["--retry-all"])),
        .init("-V", .flag(["--version"])),
        // Options for the default behaviour.
        .init("--compressed -g --globoff -# --progress-bar --retry-connrefused", .flag([])),
        .init("--disable --ignore-netrc --no-netrc --no-session", .flag([])),
    ]

    private static let requests: [ForeignOption] = [
        .item("--header", CURLItem.fieldItem),
        .item("--user-agent") { value throws(UsageError) in try CURLItem.fieldItem("User-Agent: \(value)") },
        .item("-e --referer") { value throws(UsageError) in try CURLItem.fieldItem("Referer: \(value)") },
        .item("-r --range") { value throws(UsageError) in try CURLItem.fieldItem("Range: bytes=\(value)") },
        .item("--cookie") { value throws(UsageError) in
            guard value.contains("=") else { throw ForeignOption.refusal(of: "--cookie", meant: "--cookies \(value)") }
            return try CURLItem.fieldItem("Cookie: \(value)")
        },
        .item("--url-query", CURLItem.queryItem),
        .init("-u --user", .value(credential)),
        .init("--oauth2-bearer", .value { .init(arguments: ["--auth=\($0)", "--auth-type=bearer"]) }),
        .init("--url", .value { .init(arguments: [$0]) }),
        .renamed("--data-ascii --data-binary", "--data"),
        .renamed("--raw", "--data-raw"),
        .init(
            "--data-urlencode",
            .value { value throws(UsageError) in
                let text = try UsageError.wrapping { () throws(CURLError) in try CURLContent.encoded(value) }
                return .init(arguments: ["--data=\(text)"])
            }
        ),
        .init("--continue-at", .value { value throws(UsageError) in .init(arguments: [try continuation(value)]) }),
        .renamed("-p", "--print"),
    ]

    private static let routes: [ForeignOption] = [
        .renamed("--max-time", "--timeout"), .renamed("--max-redirs", "--max-redirects"),
        .renamed("--max-filesize", "--max-body"), .renamed("--cacert", "--ca"), .renamed("-E", "--cert"),
        .renamed("--key", "--cert-key"), .renamed("-x", "--proxy"),
        .init("--pinnedpubkey", .value { .init(arguments: $0.split(separator: ";").map { "--pin=\($0)" }) }),
        .init("--socks5", .value { .init(arguments: ["--proxy=socks5://\($0)"]) }),
        .init("--socks5-hostname", .value { .init(arguments: ["--proxy=socks5h://\($0)"]) }),
    ]

    private static let refused: [ForeignOption] = [
        .init(
            "-F",
            .refused(meant: "--follow (HTTPie), or --multipart with items like name=value and name@file (curl)")
        ),
        .init("--form-string", .refused(meant: "--multipart with an item like name=value")),
        .init("-G --get", .refused(meant: "items like name==value")),
        .init("-w --write-out", .refused(meant: "--output json, which jq reads, or --meta")),
        .init("-D --dump-header", .refused(meant: "-H, or --print h")),
        .init("-K", .refused(meant: "--config FILE, which is JSON here")),
        .init("-n --netrc --netrc-file --netrc-optional", .refused(meant: "--auth USER:PASS")),
        .init("--anyauth", .refused(meant: "--auth-type basic, bearer or digest")),
        .init("-U --proxy-user", .refused(meant: "--proxy http://USER:PASS@HOST:PORT")),
        .init("--noproxy", .refused(meant: "a request without --proxy and --proxy-env: then there is no proxy")),
        .init("--connect-to", .refused(meant: "--resolve HOST:PORT:ADDR")),
        .init("--capath", .refused(meant: "--ca FILE")),
        .init("--location-trusted", .refused(meant: "--follow: secrets stay with their server")),
        .init("-c --cookie-jar", .refused(meant: "--cookies FILE, which is read and written")),
        .init("--retry-delay --retry-max-time", .refused(meant: "--retry N with --timeout SECONDS")),
        .init("-y --speed-time -Y --speed-limit", .refused(meant: "--idle-timeout SECONDS")),
        .init("-z --time-cond", .refused(meant: "an item like If-Modified-Since:DATE")),
        .init("-0 --http1.0 --http3 --http3-only", .refused(meant: "--http 1.1 or --http 2")),
        .init("-1 --tlsv1 --tlsv1.0 --tlsv1.1 --ssl", .refused(meant: "--tls-min 1.2 or --tls-min 1.3")),
        .init("--style", .refused(meant: "--pretty or --color")),
        .init("--default-scheme", .refused(meant: "a URL with its scheme")),
        .init("-Z --parallel", .refused(meant: "swifty batch")),
        .init("--libcurl", .refused(meant: "--curl, or swifty import")),
    ]

    /// The option for the value of curl's `-C`.
    static func continuation(_ value: String) throws(UsageError) -> String {
        if value == "-" { return "--continue" }
        throw ForeignOption.refusal(of: "--continue-at \(value)", meant: "an item like Range:bytes=\(value)-")
    }

    /// The option for the value of curl's `-u`.
    static func credential(_ value: String) throws(UsageError) -> ForeignOption.Replacement {
        if !value.contains(":") {
            throw UsageError("--user has no password.", hint: "Write USER:PASS, or USER: for an empty one.")
        }
        return .init(arguments: ["--auth=\(value)"])
    }
}

/// An option of curl or HTTPie, and its meaning here.
struct ForeignOption: Sendable {
    /// The arguments that replace the option.
    struct Replacement: Equatable, Sendable {
        var arguments: [String] = []
        /// Items of the request, which come after the URL.
        var items: [String] = []
    }

    enum Meaning: Sendable {
        /// An option without a value, and the arguments that replace it; none if it is the default behaviour.
        case flag([String])
        case value(@Sendable (String) throws(UsageError) -> Replacement)
        /// An option that is rejected with a suggestion.
        case refused(meant: String)
    }

    /// The names with their hyphens.
    let names: [String]
    let meaning: Meaning

    init(_ names: String, _ meaning: Meaning) {
        self.names = names.split(separator: " ").map(String.init)
        self.meaning = meaning
    }

    /// An option whose value goes to an option of this command.
    static func renamed(_ names: String, _ own: String) -> ForeignOption {
        ForeignOption(names, .value { value throws(UsageError) in Replacement(arguments: ["\(own)=\(value)"]) })
    }

    /// An option whose value becomes an item.
    static func item(
        _ names: String,
        _ make: @escaping @Sendable (String) throws(UsageError) -> String
    ) -> ForeignOption {
        ForeignOption(names, .value { value throws(UsageError) in Replacement(items: [try make(value)]) })
    }

    static func refusal(of name: String, meant: String) -> UsageError {
        UsageError("\(name) is not known here.", hint: "Did you mean \(meant)?")
    }
}
