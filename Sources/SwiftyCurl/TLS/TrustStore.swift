// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import Foundation
import SwiftyTransport

/// The location of the trusted authorities, after consulting the environment and the file system.
enum TrustStore: Sendable, Equatable {
    /// libcurl's built-in location, if no other is known.
    case builtIn
    /// A file and a folder; `nil` leaves one out.
    case files(file: String?, folder: String?)
    case pem(Data)

    init(_ trust: TransportSettings.TLS.Trust) {
        switch trust {
        case .system: self = .system
        case .file(let path): self = .files(file: path, folder: nil)
        case .folder(let path): self = .files(file: nil, folder: path)
        case .pem(let data): self = .pem(data)
        }
    }
}

extension TrustStore {
    /// The system's authorities, located once.
    static let system = locate(environment: environment, builtIn: builtInPlaces) { path in
        FileManager.default.fileExists(atPath: path)
    }

    /// Whether the environment names the system's authorities, so that the location may be wrong.
    static let isNamedByEnvironment = places.contains { environment($0)?.isEmpty == false }

    private static let places = ["SSL_CERT_FILE", "SSL_CERT_DIR"]

    private static func environment(_ name: String) -> String? {
        ccurl_environment(name).map { String(cString: $0) }
    }

    private static var builtInPlaces: (file: String?, folder: String?) {
        guard let info = curl_version_info(CURLVERSION_SEVENTH)?.pointee,
            info.age.rawValue >= CURLVERSION_SEVENTH.rawValue
        else { return (nil, nil) }
        return (info.cainfo.map { String(cString: $0) }, info.capath.map { String(cString: $0) })
    }

    /// Locates the system's authorities: where the environment says, where libcurl was built to look, or the first
    /// bundle in the usual places of Linux distributions.
    ///
    /// A file is preferred to a folder, and then used alone: libcurl caches the content of a file for the next
    /// connection, but not that of folders.
    static func locate(
        environment: (String) -> String?,
        builtIn: (file: String?, folder: String?),
        exists: (String) -> Bool
    ) -> TrustStore {
        let named = places.map { place in environment(place).flatMap { $0.isEmpty ? nil : $0 } }
        if named != [nil, nil] { return .files(file: named[0], folder: named[1]) }
        let file = ([builtIn.file].compactMap { $0 } + bundles).first(where: exists)
        if let file { return .files(file: file, folder: nil) }
        let folder = ([builtIn.folder].compactMap { $0 } + folders).first(where: exists)
        return folder.map { .files(file: nil, folder: $0) } ?? .builtIn
    }

    private static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Alpine
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, Red Hat
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, newer
        "/etc/ssl/ca-bundle.pem",  // openSUSE
        "/etc/ssl/cert.pem",  // Alpine, macOS
    ]
    private static let folders = ["/etc/ssl/certs", "/etc/pki/tls/certs"]
}
