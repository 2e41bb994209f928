// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One large transfer by a whole process: Swifty, AsyncHTTPClient, and the `curl` command.
struct TransferWorkload: Workload {
    let kind: TransferKind
    let isSecure: Bool

    var name: String { "stream-\(kind.rawValue)" + (isSecure ? "-http2" : "") }
    var title: String {
        let what =
            switch kind {
            case .download: "1 GiB down, part by part"
            case .file: "1 GiB down, into a file"
            case .upload: "1 GiB up, from a file"
            case .lines: "256 MiB down, in lines of 100 bytes as texts"
            case .events: "1,000,000 events down"
            }
        return what + (isSecure ? ", HTTP/2 over TLS" : ", HTTP/1.1") + ", a whole process"
    }

    let compared: [Metric] = [.seconds, .cpuSeconds]
    // AsyncHTTPClient takes no authority on its command line here.
    var contestants: [String] {
        [ClientName.swifty.rawValue] + (isSecure ? [] : [ClientName.asyncHTTPClient.rawValue]) + [
            ClientName.curl.rawValue
        ]
    }

    func turn(_ order: [String], _ bench: Bench) throws -> [String: Figures] {
        try bench.nginx.files.streams.make(isQuick: bench.isQuick)
        var figures: [String: Figures] = [:]
        for contestant in order {
            let usage = try Launch.usage(command(contestant, bench), environment: environment(bench))
            figures[contestant] = [
                .seconds: usage.time / .seconds(1), .cpuSeconds: usage.cpu / .seconds(1),
                .peak: Double(usage.peakResident) / 1e6,
            ]
        }
        return figures
    }

    private func environment(_ bench: Bench) -> [String: String] {
        isSecure ? ["SSL_CERT_FILE": bench.nginx.files.authority] : [:]
    }

    private func command(_ contestant: String, _ bench: Bench) -> [String] {
        let url = (isSecure ? bench.nginx.secureURL : bench.nginx.url) + "/" + kind.path
        let file = kind == .file ? bench.nginx.files.streams.target : bench.nginx.files.streams.huge
        if contestant != ClientName.curl.rawValue {
            return [ChildProcess.myself, "transfer", contestant, kind.rawValue, url, file]
        }
        let rest = kind == .upload ? ["-T", file, "-o", "/dev/null"] : ["-o", kind == .file ? file : "/dev/null"]
        let trust = isSecure ? ["--cacert", bench.nginx.files.authority] : []
        return ["/usr/bin/curl", "-s", "-S", "-f", url] + trust + rest
    }
}
