// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

import let Foundation.EMFILE
import let Foundation.ENFILE

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
