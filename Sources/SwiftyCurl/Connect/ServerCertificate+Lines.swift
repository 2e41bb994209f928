// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

import struct Foundation.Data

extension ServerCertificate {
    /// Parses libcurl's description of a certificate: lines such as `Subject:CN = example.com`, of which the last one
    /// contains the PEM form.
    init?(lines: UnsafeMutablePointer<curl_slist>) {
        var values: [Substring: Substring] = [:]
        var next: UnsafeMutablePointer<curl_slist>? = lines
        while let line = next {
            let text = line.pointee.data.map { String(cString: $0) } ?? ""
            if let colon = text.firstIndex(of: ":") { values[text[..<colon]] = text[text.index(after: colon)...] }
            next = line.pointee.next
        }
        let base64 = values["Cert"]?.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        guard let der = base64.flatMap({ Data(base64Encoded: $0) }), !der.isEmpty else { return nil }
        self.init(subject: String(values["Subject"] ?? ""), issuer: String(values["Issuer"] ?? ""), der: der)
    }
}
