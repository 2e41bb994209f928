// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import class Foundation.NSError

/// Bridges to `NSError` with the domains and codes of Flipkart's Swifty: `error as NSError`.
///
/// | code | domain | number |
/// |---|---|---|
/// | invalid request | `WebServiceErrorDomain` | 0...7, as in Flipkart's Swifty |
/// | error of a constraint or an interceptor | that error's | that error's |
/// | unacceptable status | `SwiftyErrorDomain` | the status, or 11 without a response |
/// | decoding | `SwiftyErrorDomain` | 10 |
/// | everything else | `SwiftyErrorDomain` | 100 and up, one for each code of Swifty; 199 for other codes |
///
/// `CustomNSError` allows only one domain per type, so the requirements of `Error` that bridging reads are implemented
/// directly.
extension SwiftyError {
    /// The domain of the bridged `NSError`; see the table above.
    public var _domain: String {
        if let hookError { return (hookError as NSError).domain }
        return Self.buildingCodes[code] == nil ? "SwiftyErrorDomain" : "WebServiceErrorDomain"
    }

    /// The code of the bridged `NSError`; see the table above.
    public var _code: Int {
        switch code {
        case .decodingFailed, .emptyResponse: 10
        case .unacceptableStatus: statusCode ?? 11
        default: (hookError as NSError?)?.code ?? Self.buildingCodes[code] ?? Self.ownCodes[code] ?? 199
        }
    }

    /// The domain of the bridged `NSError`; ``code`` and ``stage`` say more.
    public var domain: String { _domain }

    /// The error of a constraint or an interceptor, which Flipkart's Swifty passes to the caller unchanged.
    package var hookError: (any Error)? {
        code == .constraintFailed || code == .interceptorFailed ? underlying : nil
    }

    fileprivate static let buildingCodes: [Code: Int] = [
        .noNetworkInterface: 0, .invalidBaseURL: 2, .invalidURL: 3, .fieldsEncodingFailed: 4, .queryEncodingFailed: 5,
        .jsonEncodingFailed: 6, .encodingFailed: 7,
    ]

    fileprivate static let ownCodes: [Code: Int] = [
        .invalidMethod: 100, .invalidHeader: 101, .contentNotAllowed: 102, .contentUnreadable: 103,
        .invalidTimeout: 104,
        .mockUnavailable: 105, .cancelled: 110, .shutdown: 111, .timedOut: 112, .constraintFailed: 113,
        .interceptorFailed: 114, .circuitOpen: 115, .dependencyFailed: 116, .notStored: 117,
        .nameResolutionFailed: 120,
        .connectionFailed: 121, .connectionLost: 122,
        .tlsFailed: 123, .certificateInvalid: 124, .malformedResponse: 125, .responseTooLarge: 126, .proxyFailed: 127,
        .transportFailed: 128, .redirectRefused: 140, .insecureRedirect: 141, .redirectLoop: 142,
        .tooManyRedirects: 143, .certificatePinMismatch: 150, .clientCertificateInvalid: 151,
        .clientCertificateRefused: 152, .proxyAuthenticationRequired: 129, .invalidProxy: 106,
        .invalidSettings: 107, .addressDenied: 130, .tooManyOpenFiles: 131, .versionUnavailable: 132,
        .insecureCredential: 160, .invalidCredential: 161, .authenticationCancelled: 162, .authenticationFailed: 163,
        .serverNotAuthenticated: 164, .contentChanged: 108, .contentNotReplayable: 109, .elementTooLarge: 173,
        .nextPageRefused: 170, .pageLoop: 171, .tooManyPages: 172, .fileUnwritable: 180, .fileExists: 181,
        .fileInUse: 182, .diskFull: 183, .checksumMismatch: 184, .rangeMismatch: 185,
        .transformFailed: 190, .callFailed: 191, .unacceptableContentType: 192,
        .requestRefused: 193, .validationFailed: 194, .loginFailed: 195,
    ]
}

extension SwiftyError.Code {
    /// All codes of Swifty; programs may have others.
    package static let all: Set<Self> = Set(SwiftyError.buildingCodes.keys)
        .union(SwiftyError.ownCodes.keys)
        .union([.decodingFailed, .emptyResponse, .unacceptableStatus])
}
