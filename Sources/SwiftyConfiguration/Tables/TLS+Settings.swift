// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Swifty

import struct Foundation.Data

extension TransportSettings.TLS {
    static let entries: [SettingEntry<Self>] = ground + identityEntries + pinEntries + exceptions

    private static let ground: [SettingEntry<Self>] =
        [
            SettingEntry("trust", .trust, sets: \.trust, means: "The trusted authorities."),
            SettingEntry(
                "minimumVersion",
                .choice(["1.2": .v1_2, "1.3": .v1_3]),
                sets: \.minimumVersion,
                means: "The lowest accepted version."
            ),
        ]

    private static let exceptions: [SettingEntry<Self>] =
        [
            SettingEntry(
                "unverifiedHosts",
                .hosts,
                sets: \.unverifiedHosts,
                means: "Hosts whose certificates are not verified, for tests only."
            ),
            SettingEntry(
                "unverifiedNames",
                .hosts,
                sets: \.unverifiedNames,
                means: "Hosts whose certificates may be for another name."
            ),
            SettingEntry(
                "reportsCertificates",
                .boolean,
                sets: \.reportsCertificates,
                means: "Whether responses and errors report the server's certificates."
            ),
        ]

    private static let identityEntries: [SettingEntry<Self>] = [
        SettingEntry(
            "identity.certificateFile",
            SettingKind.text(named: "path").orNone,
            sets: "identity",
            means: "The file in PEM form with the certificate for servers that ask for one, and its key."
        ) { _ in
            "none"
        } set: { tls, file in
            tls.identity = file.map { .pem(certificateFile: $0, keyFile: $0) }
        },
        SettingEntry(
            "identity.keyFile",
            .text(named: "path"),
            sets: "identity",
            means: "The file of the key, if it is another one."
        ) { _ in
            "none"
        } set: { tls, file throws(WrongValue) in
            guard case .pem(let certificateFile, _, let password) = tls.identity else {
                throw .needs("identity.certificateFile")
            }
            tls.identity = .pem(certificateFile: certificateFile, keyFile: file, password: password)
        },
        SettingEntry(
            "identity.pkcs12",
            SettingKind.text(named: "path").orNone,
            sets: "identity",
            means: "The file in PKCS#12 form, in place of the PEM files."
        ) { _ in
            "none"
        } set: { tls, file in
            tls.identity = file.map { .pkcs12(file: $0, password: "") }
        }
        .excluding("identity.certificateFile"),
        SettingEntry(
            "identity.password",
            .text,
            sets: "identity",
            isSecret: true,
            means: "The password of the key or of the PKCS#12 file."
        ) { _ in
            "none"
        } set: { tls, password throws(WrongValue) in
            switch tls.identity {
            case nil: throw .needs("identity.certificateFile")
            case .pkcs12(let file, _): tls.identity = .pkcs12(file: file, password: password)
            case .pem(let certificateFile, let keyFile, _):
                tls.identity = .pem(certificateFile: certificateFile, keyFile: keyFile, password: password)
            }
        },
    ]

    private static let pinEntries: [SettingEntry<Self>] = [
        SettingEntry(
            "pins.publicKeys",
            .pins,
            sets: "pins",
            means: "The digests of public keys that servers must have, as `host=sha256//…`, several for a host."
        ) { _ in
            "empty"
        } set: { tls, pins in
            tls.pins = tls.pins.filter { if case .certificates = $0.value { true } else { false } }
                .merging(pins.mapValues { .publicKeys($0) }) { $1 }
        },
        SettingEntry(
            "pins.certificates",
            .pins,
            sets: "pins",
            means: "The digests of whole certificates, in the same form."
        ) { _ in
            "empty"
        } set: { tls, pins throws(WrongValue) in
            for case (let host, .publicKeys) in tls.pins where pins[host] != nil {
                throw .value("pins \(host), which has pins of public keys")
            }
            tls.pins = tls.pins.filter { if case .publicKeys = $0.value { true } else { false } }
                .merging(pins.mapValues { .certificates($0) }) { $1 }
        },
    ]
}

extension SettingKind<TransportSettings.TLS.Trust> {
    fileprivate static var trust: Self {
        Self("`system`, `file:` or `folder:` and a path, or PEM", expectation: "system, file:PATH, folder:PATH or PEM")
        {
            text -> TransportSettings.TLS.Trust? in
            if text == "system" { return .system }
            if text.hasPrefix("-----BEGIN ") { return .pem(Data(text.utf8)) }
            if text.hasPrefix("file:"), text.count > 5 { return .file(String(text.dropFirst(5))) }
            return text.hasPrefix("folder:") && text.count > 7 ? .folder(String(text.dropFirst(7))) : nil
        } write: { trust in
            switch trust {
            case .system: "system"
            case .file(let path): "file:\(path)"
            case .folder(let path): "folder:\(path)"
            case .pem: "PEM"
            }
        }
    }
}
#endif
