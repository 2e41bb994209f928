// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Looks at files before libcurl does, which says too little about them, or nothing.
enum FileCheck {
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }

    /// Says why a file cannot be read; nil if it can.
    static func problem(readingFile path: String) -> String? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return "does not exist" }
        if isFolder.boolValue { return "is a folder" }
        return FileManager.default.isReadableFile(atPath: path) ? nil : "may not be read"
    }

    /// Says why a file cannot serve as a file of authorities; nil if it can.
    static func problem(ofAuthorities path: String) -> String? {
        if let problem = problem(readingFile: path) { return problem }
        guard let content = try? Data(contentsOf: URL(filePath: path)) else { return "could not be read" }
        return holdsCertificate(content) ? nil : "holds no certificate in PEM form"
    }

    /// Whether there is a certificate in a text in PEM form (RFC 7468, and OpenSSL's older names for one).
    static func holdsCertificate(_ text: Data) -> Bool {
        ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----", "-----BEGIN X509 CERTIFICATE-----"]
            .contains { text.range(of: Data($0.utf8)) != nil }
    }

    /// Says why none of these folders, divided by colons, can serve as a folder of authorities; nil if one can.
    static func problem(ofAuthorityFolders paths: String) -> String? {
        let isUsable = paths.split(separator: ":").contains { path in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: String(path))) ?? []
            return names.contains(where: isHashed)
        }
        if isUsable { return nil }
        return exists(paths) ? "holds no certificates that \"openssl rehash\" has prepared" : "does not exist"
    }

    /// OpenSSL finds a certificate in a folder by eight hexadecimal digits of its subject and a number.
    private static func isHashed(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].count == 8 && parts[0].allSatisfy(\.isHexDigit) && Int(parts[1]) != nil
    }
}
