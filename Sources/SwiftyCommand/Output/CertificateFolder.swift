// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// `--dump-certs DIR`: the certificates of the servers in DER form, as `HOST_cert_N.der`; number 0 is the
/// server's own.
struct CertificateFolder {
    let path: String

    /// Writes the certificates of all servers that a load met, redirects included.
    func write(_ outcome: NetworkResponse, _ notes: NoteOptions) throws(OutputError) {
        let chains = Self.chains(of: outcome)
        if chains.isEmpty {
            // An error has its own message.
            if outcome.error == nil { notes.warn("no certificates were received", hint: "Only https has them.") }
            return
        }
        try SavedContent.makeFolder(path)
        for (host, certificates) in chains {
            for (index, certificate) in certificates.enumerated() {
                try SavedContent.replace("\(path)/\(host)_cert_\(index).der", certificate.der)
            }
        }
    }

    private static func chains(of outcome: NetworkResponse) -> [(host: String, certificates: [ServerCertificate])] {
        let hops = outcome.metrics.redirects.map { (try? TargetURI($0.from), $0.metrics) }
        let last = (outcome.request?.target, outcome.metrics.transfer ?? outcome.error?.transfer)
        let all = hops.map { ($0.0?.host, $0.1.certificates) } + [(last.0?.host, last.1?.certificates ?? [])]
        return all.compactMap { host, certificates in
            host.flatMap { certificates.isEmpty ? nil : ($0, certificates) }
        }
    }
}

extension IdentityOptions {
    var certificateFolder: CertificateFolder? { dumpCerts.map(CertificateFolder.init) }
}
