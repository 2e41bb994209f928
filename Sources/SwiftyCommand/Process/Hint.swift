// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftyTransport

/// What to do after an error: one line of at most 78 characters.
enum Hint {
    static func text(for error: SwiftyError) -> String? {
        switch error.code {
        case .nameResolutionFailed: name(error)
        case .connectionFailed: connection(error)
        case .connectionLost where error.stage == .firstByte && url(error, hasPrefix: "http://"):
            "Does this port speak TLS? Then write https:// before the host."
        case .proxyFailed: "Is the URL of --proxy right, or with --proxy-env that of the environment?"
        case .certificateInvalid: error.hint(naming: option).map { "\($0)." }
        case .tlsFailed where speaksPlainly(error):
            "Does this port speak plain HTTP? Then write http:// before the host."
        case .tlsFailed: "Does the server speak TLS on this port, and at least TLS 1.2?"
        case .certificatePinMismatch: "--dump-certs DIR saves the server's certificates."
        case .clientCertificateRefused: "--cert FILE and --cert-key FILE name a client certificate."
        case .versionUnavailable: "Without --http the server chooses the version."
        case .tooManyRedirects: "--max-redirects N allows more."
        case .proxyAuthenticationRequired: "--proxy http://USER:PASS@HOST:PORT"
        case .timedOut: limit(error.timeLimit)
        case .responseTooLarge where isAboutContent(error): "--max-body BYTES sets the limit."
        case .malformedResponse: "--lenient accepts what most clients accept."
        case .diskFull: "-C continues when there is space."
        case .checksumMismatch: "The file was not written."
        case .contentNotReplayable: "Content from a pipe is sent once; name a file with --data @FILE."
        case .contentChanged: "Send a copy of a file that others write to."
        case .contentNotAllowed: "Name another method, as in swifty POST URL …; --allow-content sends it with GET."
        case .contentUnreadable where error.stage == .building:
            "Is the path right? --data-raw TEXT sends text that begins with @."
        case .invalidBaseURL where error.reason.contains("credentials"): "Use --auth USER:PASS."
        case .invalidBaseURL, .invalidURL: "Write https://HOST/PATH, or :3000/PATH for a port of this machine."
        default: nil
        }
    }

    private static func isAboutContent(_ error: SwiftyError) -> Bool {
        [Setting.contentLimit.rawValue, Setting.decodedBytes.rawValue, "bytes, the limit"].contains {
            error.reason.contains($0)
        }
    }

    /// The command's option for a setting that a hint of the library names.
    private static func option(_ setting: Setting) -> String {
        switch setting {
        case .trust: "--ca FILE"
        case .unverifiedHosts: "--verify no"
        case .unverifiedNames: "--verify chain"
        default: setting.rawValue
        }
    }
}

extension Hint {
    /// The first argument is a host unless it is a subcommand, so a misspelt subcommand is a name that is unknown.
    private static func name(_ error: SwiftyError) -> String {
        let host = error.request.flatMap { try? TargetURI($0.url).host } ?? ""
        if let subcommand = Misspelling.subcommand(for: host) { return "Did you mean swifty \(subcommand)?" }
        return "Check the name and the network; --resolve HOST:PORT:ADDR sets the address."
    }

    private static func connection(_ error: SwiftyError) -> String {
        let isLocal = ["localhost", "127.", "[::1]"].contains { url(error, hasPrefix: "http://\($0)") }
        if isLocal { return "Is a server listening there? swifty serve --port 3000 starts one for tests." }
        return "Is a server listening there? Check the host, the port and the network."
    }

    private static func url(_ error: SwiftyError, hasPrefix prefix: String) -> Bool {
        error.request?.url.hasPrefix(prefix) ?? false
    }

    /// Whether the answer to the first message of TLS was probably one of HTTP, by OpenSSL's message.
    private static func speaksPlainly(_ error: SwiftyError) -> Bool { error.reason.contains("wrong version number") }

    private static func limit(_ limit: SwiftyError.TimeLimit?) -> String {
        let option: String? =
            switch limit {
            case .total: "--timeout"
            case .attempt: "--attempt-timeout"
            case .connect: "--connect-timeout"
            case .idle: "--idle-timeout"
            default: nil
            }
        return option.map { "\($0) SECONDS sets another limit." }
            ?? "--timeout, --connect-timeout and --idle-timeout set the limits."
    }
}
