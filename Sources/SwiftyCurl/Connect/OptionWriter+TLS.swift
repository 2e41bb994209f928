// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

import struct Foundation.Data

// The options of TLS.

extension OptionWriter {
    /// Replaces libcurl's built-in authorities.
    mutating func set(
        _ store: TrustStore,
        fileOption: CURLoption,
        folderOption: CURLoption,
        blob blobOption: CURLoption
    ) {
        switch store {
        case .builtIn: break
        case .files(let file, let folder):
            set(fileOption, file)
            set(folderOption, folder)
        case .pem(let data):
            set(fileOption, nil)
            set(folderOption, nil)
            set(blobOption, copying: data)
        }
    }

    /// Sets the client identity, always with a password: without one OpenSSL would prompt at the terminal and wait.
    mutating func set(_ identity: TransportSettings.TLS.Identity) {
        switch identity {
        case .pem(let certificateFile, let keyFile, let password):
            set(CURLOPT_SSLCERT, certificateFile)
            set(CURLOPT_SSLKEY, keyFile)
            set(CURLOPT_KEYPASSWD, password ?? "")
        case .pkcs12(let file, let password):
            set(CURLOPT_SSLCERTTYPE, "P12")
            set(CURLOPT_SSLCERT, file)
            set(CURLOPT_KEYPASSWD, password)
        }
    }

    private mutating func set(_ option: CURLoption, copying data: Data) {
        data.withUnsafeBytes { bytes in
            // Safety: libcurl copies the bytes, as the flag says, and only reads them.
            var blob = curl_blob(
                data: UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                len: bytes.count,
                flags: UInt32(CURL_BLOB_COPY)
            )
            setPointer(option, &blob)
        }
    }
}
