// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Finds the beginnings of requests in what a client sends over HTTP/2, whether or not it arrives.
struct RequestScanner {
    private static let prefaceLength = 24

    /// The number of bytes of the preface or of a payload that are still to come.
    private var skipped = prefaceLength
    private var header: [UInt8] = []

    /// Takes bytes. Returns whether a request begins among them.
    mutating func take(_ bytes: some Sequence<UInt8>) -> Bool {
        var begins = false
        for byte in bytes {
            if skipped > 0 {
                skipped -= 1
                continue
            }
            header.append(byte)
            guard header.count == 9 else { continue }
            skipped = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
            if header[3] == HTTP2Frame.Kind.headers.rawValue { begins = true }
            header.removeAll(keepingCapacity: true)
        }
        return begins
    }
}
