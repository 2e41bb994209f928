// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// Checks files before libcurl reads them, because libcurl's errors say too little about them, or nothing.
enum FileCheck {
    /// The reason why a file cannot serve as a file of authorities; `nil` if it can.
    static func error(ofAuthorities path: String) -> String? {
        do throws(FileFailure) {
            let content = try FileContent.read(path)
            return holdsCertificate(content) ? nil : "holds no certificate in PEM form"
        } catch {
            return "cannot be read: \(error.reason)"
        }
    }

    /// Whether PEM text contains a certificate (RFC 7468, and the older labels of OpenSSL).
    static func holdsCertificate(_ text: Data) -> Bool {
        ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----", "-----BEGIN X509 CERTIFICATE-----"]
            .contains { text.range(of: Data($0.utf8)) != nil }
    }

    /// The reason why none of these folders, separated by colons, can serve as a folder of authorities; `nil` if one
    /// can.
    static func error(ofAuthorityFolders paths: String) -> String? {
        let folders = paths.split(separator: ":").map(String.init)
        let isUsable = folders.contains { path in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            return names.contains(where: isHashed)
        }
        if isUsable { return nil }
        let error = folders.firstResult(of: error(listingFolder:))
        return error.map { "cannot be read: \($0)" } ?? "holds no certificates that \"openssl rehash\" has prepared"
    }

    private static func error(listingFolder path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 {
            return errno == ENOTDIR ? "it is not a directory" : FileFailure(reading: errno).reason
        }
        close(descriptor)
        return nil
    }

    /// Whether a file is named as OpenSSL looks certificates up: eight hexadecimal digits of the subject's hash, and a
    /// number.
    private static func isHashed(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].count == 8 && parts[0].allSatisfy(\.isHexDigit) && Int(parts[1]) != nil
    }
}
