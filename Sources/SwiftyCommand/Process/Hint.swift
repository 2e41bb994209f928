// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftyTransport

/// What a person can do about an error.
enum Hint {
    static func text(for error: SwiftyError) -> String? {
        switch error.code {
        case .nameResolutionFailed: "Is the host's name right? --resolve HOST:PORT:ADDR sets its address."
        case .connectionFailed: "Is a server listening there?"
        case .certificateInvalid: error.hint(naming: option).map { "\($0)." }
        case .tlsFailed: "Does the server speak TLS on this port, and at least TLS 1.2?"
        case .certificatePinMismatch: "--dump-certs DIR saves what the server shows."
        case .clientCertificateRefused: "--cert FILE and --cert-key FILE say who you are."
        case .versionUnavailable: "Without --http the server chooses the version."
        case .tooManyRedirects: "--max-redirects N allows more."
        case .proxyAuthenticationRequired: "--proxy http://USER:PASS@HOST:PORT"
        case .timedOut: "--timeout, --connect-timeout and --idle-timeout set the limits."
        case .responseTooLarge where isAboutContent(error): "--max-body BYTES sets the limit."
        case .malformedResponse: "--lenient takes what most clients take."
        case .bodyNotAllowed: "Name another method, as in: swifty POST URL …"
        case .invalidBaseURL where error.reason.contains("credentials"): "Use --auth USER:PASS."
        default: nil
        }
    }

    private static func isAboutContent(_ error: SwiftyError) -> Bool {
        [Setting.bodyLimit, .decodedBytes].contains { error.reason.contains($0.rawValue) }
    }

    /// The command's name for what a hint of the library speaks of.
    private static func option(_ setting: Setting) -> String {
        switch setting {
        case .trust: "--ca FILE"
        case .unverifiedHosts: "--verify no"
        default: setting.rawValue
        }
    }
}
