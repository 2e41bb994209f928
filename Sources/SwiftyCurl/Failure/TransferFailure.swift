// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

import let Foundation.EMFILE
import let Foundation.ENFILE

/// Why a transfer failed, before it is made a `SwiftyError` with everything that is known about the transfer.
struct TransferFailure: Error, Equatable {
    var code: SwiftyError.Code
    var stage: SwiftyError.Stage
    var sent: SwiftyError.SentState
    var reason: String
}

/// Where a transfer was when it ended.
struct TransferPhase: Equatable {
    /// The phase that was going on.
    var stage: SwiftyError.Stage
    /// How far the request got.
    var sent: SwiftyError.SentState
}

extension TransferPhase {
    /// Derives the phase from what is known.
    ///
    /// - Parameters:
    ///   - timings: Of libcurl; its times are zero for what has not happened.
    ///   - isSecure: Whether TLS comes between the connection and the request.
    ///   - sent: How far the request got.
    ///   - isUploading: Whether part of the content is still to be sent.
    ///   - responseStage: How far the response has come.
    init(
        timings: PhaseTimings,
        isSecure: Bool,
        sent: SwiftyError.SentState,
        isUploading: Bool,
        responseStage: SwiftyError.Stage
    ) {
        self.sent = sent
        if responseStage != .firstByte {
            stage = responseStage
        } else if sent != .notSent {
            stage = isUploading ? .send : .firstByte
        } else if timings.nameLookup == 0 {
            stage = .nameLookup
        } else if !timings.isConnected {
            stage = .connect
        } else {
            stage = isSecure && timings.secured == 0 ? .tls : .send
        }
    }
}

/// Why a socket was not opened.
enum SocketRefusal: Equatable {
    /// The settings do not allow the address.
    case denied
    /// The system did not give one, with this error number.
    case failed(Int32)
}

extension TransferFailure {
    /// libcurl says that no connection could be made; says why, if it was because there was no socket.
    ///
    /// - Parameters:
    ///   - curlCode: What libcurl ended the transfer with.
    ///   - refusal: Why a socket was not opened; nil if none was wanted that was not.
    mutating func explain(curlCode: CURLcode, _ refusal: SocketRefusal?) {
        guard sent == .notSent else { return }
        switch refusal {
        case .denied where curlCode != CURLE_OPERATION_TIMEDOUT:
            self = .denied
        case .failed(let number):
            if Self.isShortage(number) { self = .shortage }
        default:
            // A name lookup, a file of certificates: libcurl does not say that these lacked a descriptor.
            if Self.needsDescriptor(curlCode), Self.isShortage(ccurl_descriptor_shortage()) { self = .shortage }
        }
    }

    private static func needsDescriptor(_ code: CURLcode) -> Bool {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CONNECT_ERROR:
            true
        default: false
        }
    }

    private static func isShortage(_ number: Int32) -> Bool { number == EMFILE || number == ENFILE }

    private static let denied = TransferFailure(
        code: .addressDenied,
        stage: .connect,
        sent: .notSent,
        reason: "the host's address is not public, and the settings deny these"
    )

    /// No descriptor is left.
    static let shortage = TransferFailure(
        code: .tooManyOpenFiles,
        stage: .connect,
        sent: .notSent,
        reason: "no connection could be made: too many files are open"
    )
}
