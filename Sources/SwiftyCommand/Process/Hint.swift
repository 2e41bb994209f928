// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// What a person can do about an error.
enum Hint {
    static func text(for error: SwiftyError) -> String? {
        switch error.code {
        case .nameResolutionFailed: "Is the host's name right? --resolve HOST:PORT:ADDR sets its address."
        case .connectionFailed: "Is a server listening there?"
        case .certificateInvalid: "--ca FILE trusts another authority; --verify no skips the check (not safe)."
        case .tlsFailed: "Does the server speak TLS on this port, and at least TLS 1.2?"
        case .certificatePinMismatch: "--dump-certs DIR saves what the server shows."
        case .clientCertificateRefused: "--cert FILE and --cert-key FILE say who you are."
        case .versionUnavailable: "Without --http the server chooses the version."
        case .tooManyRedirects: "--max-redirects N allows more."
        case .proxyAuthenticationRequired: "--proxy http://USER:PASS@HOST:PORT"
        case .timedOut: "--timeout, --connect-timeout and --idle-timeout set the limits."
        case .responseTooLarge: "--max-body BYTES sets the limit."
        case .malformedResponse: "--lenient takes what most clients take."
        case .bodyNotAllowed: "Name another method, as in: swifty POST URL …"
        case .invalidBaseURL where error.reason.contains("credentials"): "Use --auth USER:PASS."
        default: nil
        }
    }
}
