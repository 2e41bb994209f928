// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// The statuses that the command ends with.
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

    /// The status of a load that ended with an error.
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
        default: self = .failure
        }
    }

    /// The status of a load that was answered, with `--check-status`.
    init(ofStatusCode code: Int) {
        switch code {
        case 300..<400: self = .redirection
        case 400..<500: self = .clientError
        case 500..<600: self = .serverError
        default: self = .success
        }
    }
}
