// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

import let Foundation.EMFILE
import let Foundation.ENFILE

/// The reason why a socket was not opened.
enum SocketError: Equatable {
    /// The settings deny the address.
    case denied
    /// The system call failed with this error number.
    case failed(Int32)
}

extension TransferFailure {
    /// Explains a failed connection for which no socket was opened.
    ///
    /// - Parameters:
    ///   - connectCode: The code that libcurl ended the attempt with.
    ///   - error: The reason why a socket was not opened; `nil` if there was no such failure.
    mutating func explain(connectCode: CURLcode, _ error: SocketError?) {
        switch error {
        case .denied where connectCode != CURLE_OPERATION_TIMEDOUT:
            self = .denied
        case .failed(let number):
            if Self.isShortage(number) { self = .shortage }
        default:
            // For name lookups and certificate files, libcurl does not report a lack of descriptors.
            if Self.needsDescriptor(connectCode), Self.isShortage(ccurl_descriptor_shortage()) { self = .shortage }
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
        reason: "the host's address is not public, and the settings deny private networks"
    )

    /// The process is out of file descriptors.
    static let shortage = TransferFailure(
        code: .tooManyOpenFiles,
        stage: .connect,
        sent: .notSent,
        reason: "no connection could be made: too many files are open"
    )
}
