// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty

/// Trusted authorities, pins and the client certificate.
struct TLSOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Trust the authorities in this file (PEM), and no others.", valueName: "FILE"),
        completion: .file()
    )
    var ca: String?

    @Option(
        help: ArgumentHelp("Present this client certificate (PEM, or PKCS#12: .p12, .pfx).", valueName: "FILE"),
        completion: .file()
    )
    var cert: String?

    @Option(
        help: ArgumentHelp("The private key of --cert (PEM), if it is in another file.", valueName: "FILE"),
        completion: .file()
    )
    var certKey: String?

    @Option(
        help: ArgumentHelp(
            "Whether the server's certificate is checked; chain: all of it except the name.",
            valueName: "yes|no|chain"
        )
    )
    var verify: Verification = .yes

    @Option(
        help: ArgumentHelp(
            "Demand a server key with this SHA-256 digest. May be repeated.",
            valueName: "sha256//BASE64"
        )
    )
    var pin: [String] = []

    @Option(help: ArgumentHelp("The lowest version of TLS.", valueName: "1.2|1.3"))
    var tlsMin: LowestTLS?

    func validate() throws {
        if certKey != nil, cert == nil { throw ValidationError("--cert-key needs --cert.") }
        for pin in pin where !Self.isPin(pin) {
            throw ValidationError("--pin takes sha256// and the Base64 of 32 bytes, not \"\(pin)\".")
        }
    }

    private static func isPin(_ text: String) -> Bool {
        text.hasPrefix("sha256//") && Data(base64Encoded: String(text.dropFirst(8)))?.count == 32
    }
}

enum Verification: String, ExpressibleByArgument, CaseIterable {
    case yes
    case no
    case chain

    /// Also accepts HTTPie's values.
    init?(argument: String) {
        switch argument.lowercased() {
        case "yes", "true": self = .yes
        case "no", "false": self = .no
        case "chain": self = .chain
        default: return nil
        }
    }
}

enum LowestTLS: String, ExpressibleByArgument, CaseIterable {
    case v1_2 = "1.2"
    case v1_3 = "1.3"
}

extension TLSOptions {
    /// Whether the settings depend on the host of a request.
    var dependsOnHost: Bool { verify != .yes || !pin.isEmpty }

    /// - Parameter host: The only host that pins and `--verify` apply to.
    func apply(to settings: inout TransportSettings.TLS, host: String?) {
        if let ca { settings.trust = .file(ca) }
        if let cert { settings.identity = identity(cert) }
        if let tlsMin { settings.minimumVersion = tlsMin == .v1_2 ? .v1_2 : .v1_3 }
        guard let host else { return }
        switch verify {
        case .yes: break
        case .no: settings.unverifiedHosts = [host]
        case .chain: settings.unverifiedNames = [host]
        }
        if !pin.isEmpty { settings.pins = [host: .publicKeys(pin)] }
    }

    private func identity(_ cert: String) -> TransportSettings.TLS.Identity {
        let isPackage = [".p12", ".pfx"].contains { cert.lowercased().hasSuffix($0) }
        if isPackage, certKey == nil { return .pkcs12(file: cert, password: "") }
        return .pem(certificateFile: cert, keyFile: certKey ?? cert)
    }
}
