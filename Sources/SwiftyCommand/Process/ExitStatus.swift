// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftyTransport

/// The exit statuses of the command.
enum ExitStatus: Int32 {
    case success = 0
    case failure = 1
    case timeout = 2
    case redirection = 3
    case clientError = 4
    case serverError = 5
    case tooManyRedirects = 6
    case noConnection = 7
    case writeFailed = 23
    case usage = 64
    case interrupted = 130

    init(of error: SwiftyError) {
        switch error.code {
        case .timedOut: self = .timeout
        case .tooManyRedirects, .redirectLoop: self = .tooManyRedirects
        case .nameResolutionFailed, .connectionFailed, .addressDenied, .tooManyOpenFiles: self = .noConnection
        case .proxyFailed, .proxyAuthenticationRequired, .versionUnavailable: self = .noConnection
        case .tlsFailed, .certificateInvalid, .certificatePinMismatch, .clientCertificateRefused: self = .noConnection
        case .invalidBaseURL, .invalidURL, .invalidHeader, .invalidMethod, .invalidCredential: self = .usage
        case .bodyNotAllowed, .bodyUnreadable, .invalidTimeout, .invalidProxy, .invalidSettings: self = .usage
        case .clientCertificateInvalid, .mockUnavailable: self = .usage
        case .fileUnwritable, .fileExists, .fileInUse, .diskFull: self = .writeFailed
        default: self = .failure
        }
    }

    /// The status of a load with a response, with `--check-status`.
    init(ofStatusCode code: Int) {
        switch code {
        case 300..<400: self = .redirection
        case 400..<500: self = .clientError
        case 500..<600: self = .serverError
        default: self = .success
        }
    }
}

/// Advice on an error.
enum Hint {
    static func text(for error: SwiftyError) -> String? {
        switch error.code {
        case .nameResolutionFailed: "Is the host's name right? --resolve HOST:PORT:ADDR sets its address."
        case .connectionFailed: "Is a server listening there?"
        case .certificateInvalid: error.hint(naming: option).map { "\($0)." }
        case .tlsFailed: "Does the server speak TLS on this port, and at least TLS 1.2?"
        case .certificatePinMismatch: "--dump-certs DIR saves the server's certificates."
        case .clientCertificateRefused: "--cert FILE and --cert-key FILE name a client certificate."
        case .versionUnavailable: "Without --http the server chooses the version."
        case .tooManyRedirects: "--max-redirects N allows more."
        case .proxyAuthenticationRequired: "--proxy http://USER:PASS@HOST:PORT"
        case .timedOut: "--timeout, --connect-timeout and --idle-timeout set the limits."
        case .responseTooLarge where isAboutContent(error): "--max-body BYTES sets the limit."
        case .malformedResponse: "--lenient accepts what most clients accept."
        case .diskFull: "-C continues when there is space."
        case .checksumMismatch: "The file was not written."
        case .bodyNotReplayable: "Content from a pipe is sent once; name a file with --data @FILE."
        case .bodyChanged: "Send a copy of a file that others write to."
        case .bodyNotAllowed: "Name another method, as in swifty POST URL …; --allow-content sends it with GET."
        case .invalidBaseURL where error.reason.contains("credentials"): "Use --auth USER:PASS."
        default: nil
        }
    }

    private static func isAboutContent(_ error: SwiftyError) -> Bool {
        [Setting.bodyLimit.rawValue, Setting.decodedBytes.rawValue, "bytes, the limit"].contains {
            error.reason.contains($0)
        }
    }

    /// The command's option for a setting that a hint of the library names.
    private static func option(_ setting: Setting) -> String {
        switch setting {
        case .trust: "--ca FILE"
        case .unverifiedHosts: "--verify no"
        default: setting.rawValue
        }
    }
}

/// The number of responses with each status, over many loads.
struct StatusCounts: Equatable {
    private(set) var counts: [Int: Int] = [:]

    mutating func add(_ status: Int) {
        counts[status, default: 0] += 1
    }

    mutating func merge(_ other: StatusCounts) {
        counts.merge(other.counts, uniquingKeysWith: +)
    }

    /// The counts by the status as text.
    var byName: [String: Int] { counts.reduce(into: [:]) { $0["\($1.key)"] = $1.value } }

    /// The worst exit status that results with `--check-status`.
    var worst: ExitStatus {
        counts.keys.map(ExitStatus.init(ofStatusCode:)).max { $0.rawValue < $1.rawValue } ?? .success
    }

    /// One line about the error responses, and with `--check-status` the redirects; `nil` without such responses.
    func summary(includingRedirects: Bool) -> String? {
        let notable = counts.filter { $0.key >= (includingRedirects ? 300 : 400) }
        if notable.isEmpty { return nil }
        let parts = notable.sorted { $0.key < $1.key }.map { "\($0.key) × \($0.value)" }
        let total = counts.values.reduce(0, +)
        return "\(notable.values.reduce(0, +)) of \(total) responses: \(parts.joined(separator: ", "))"
    }
}
