// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// The timings of a load as lines for a person.
enum TimingText {
    static func text(_ metrics: LoadMetrics) -> String {
        let transfer = metrics.transfer ?? TransferMetrics()
        var rows: [(String, String)] = [
            ("queue", Milliseconds.text(metrics.wholeQueue)),
            ("dns", Milliseconds.text(transfer.nameLookup)),
            ("connect", Milliseconds.text(transfer.connect)),
            ("tls", Milliseconds.text(transfer.tls)),
            ("first byte", Milliseconds.text(transfer.firstByte)),
            ("content", Milliseconds.text(transfer.receive)),
            ("total", Milliseconds.text(metrics.total)),
            ("attempts", "\(metrics.attempts.count)"),
            ("received", "\(transfer.responseHeaderBytes) + \(transfer.responseContentBytes) bytes"),
        ]
        if !transfer.remoteAddress.isEmpty {
            let reused = transfer.isConnectionReused ? ", reused" : ""
            rows.append(("peer", "\(transfer.remoteAddress) port \(transfer.remotePort)\(reused)"))
        }
        let connection = ConnectionText(metrics: transfer)
        if let text = connection.verification { rows.append(("server", text)) }
        if let text = connection.tls { rows.append(("secured", text)) }
        if let text = connection.certificate { rows.append(("cert", text)) }
        for redirect in metrics.redirects { rows.append(("redirect", "\(redirect.statusCode) to \(redirect.to)")) }
        return rows.map { "\($0.0.padded(to: 11))\(VisibleText.line($0.1))\n" }.joined()
    }
}

extension LoadMetrics {
    /// The whole wait before the last transfer: for constraints, for admission and for the transport.
    var wholeQueue: Duration { constraintTime + admissionTime + (transfer?.queue ?? .zero) }
}

/// Durations in milliseconds or seconds, for people.
enum Milliseconds {
    static func text(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        if milliseconds >= 10_000 { return "\(rounded(milliseconds / 1000, 100)) s" }
        return "\(rounded(milliseconds, milliseconds < 10 ? 1000 : 10)) ms"
    }

    private static func rounded(_ value: Double, _ factor: Double) -> Double {
        (value * factor).rounded() / factor
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
