// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension SignatureV4 {
    /// The header fields that are signed, each once, sorted by their names in lower case.
    ///
    /// The host is that of the message, whatever its fields say. Values lose the white space at their ends, and keep
    /// one space of each run in them. The values of a repeated field are joined by commas, in their order.
    func signedFields(of message: Message) -> [Field] {
        var values = ["host": [Self.canonicalValue(message.host)]]
        for field in message.fields {
            let name = field.name.lowercased()
            if Self.isSigned(name) { values[name, default: []].append(Self.canonicalValue(field.value)) }
        }
        return values.map { ($0, $1.joined(separator: ",")) }.sorted { $0.name < $1.name }
    }

    private static func canonicalValue(_ value: String) -> String {
        value.utf8.split { $0.isSpaceTabOrLineEnd }.map { String(Substring($0)) }.joined(separator: " ")
    }

    /// Whether a field is signed. The name is in lower case.
    ///
    /// AWS demands that the host, the content type and the fields of AWS (`x-amz-`) be signed. The more is signed, the
    /// less can be changed by others. But a field that arrives changed makes the server refuse the request.
    /// `Content-Length` is signed if it is among the fields, as botocore does.
    private static func isSigned(_ name: String) -> Bool {
        name != "host" && !unsignedNames.contains(name) && !unsignedPrefixes.contains { name.hasPrefix($0) }
    }

    /// The fields that are not signed: most of them botocore does not sign either.
    private static let unsignedNames: Set = [
        // Of one connection (RFC 9110 §7.6.1), or set by the transport.
        "connection", "expect", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "http2-settings",
        // Changed by intermediaries. Those in front of Google Cloud Storage, for example, add to Accept-Encoding.
        "user-agent", "accept-encoding", "via", "forwarded", "max-forwards",
        // Added to by what traces requests.
        "baggage", "traceparent", "tracestate", "x-amzn-trace-id",
        // Joined in another way: HTTP/2 splits it (RFC 9113 §8.2.3), and the cookie jar adds to it.
        "cookie",
        // The signature of an earlier attempt.
        "authorization",
    ]

    private static let unsignedPrefixes = ["proxy-", "x-forwarded-", "sec-websocket-"]
}
