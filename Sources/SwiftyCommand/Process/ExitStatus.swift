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
        case .contentNotAllowed, .contentUnreadable, .invalidTimeout, .invalidProxy, .invalidSettings: self = .usage
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
