// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport

/// A server with one content, whole and in ranges, whose responses a test can change.
final class FileServer: Sendable {
    /// Changes the response to a request; the first has the number 1.
    typealias Change = @Sendable (_ number: Int, _ request: RecordedRequest, LoopbackResponse) -> LoopbackResponse

    let server: LoopbackServer
    let content: Data

    init(_ content: Data, tag: String? = "\"v1\"", change: @escaping Change = { $2 }) throws {
        self.content = content
        let counter = Counter()
        server = try LoopbackServer { server in
            server.route("*", "/*") { request in
                let response = Self.response(to: request, content, tag)
                return change(counter.increment(), request, response)
            }
        }
    }

    /// The response of a server that knows ranges.
    private static func response(to request: RecordedRequest, _ content: Data, _ tag: String?) -> LoopbackResponse {
        let total = content.count
        let condition = request["If-Range"]
        let start = request["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
        var response = LoopbackResponse.data(content)
        if let start, condition == nil || condition == tag {
            if start >= total {
                response = LoopbackResponse.status(416).header("Content-Range", "bytes */\(total)")
            } else {
                response = LoopbackResponse.data(content[start...], status: 206)
                    .header("Content-Range", "bytes \(start)-\(total - 1)/\(total)")
            }
        }
        return tag.map { response.header("ETag", $0) } ?? response
    }

    func resource(_ path: String = "files/archive.bin") -> NetworkResource {
        BaseResource(server.url, networkInterface: Swifty.shared).get(path)
    }

    /// The `Range` of each request; "-" for a request without one.
    var ranges: [String] { server.log.requests.map { $0["Range"] ?? "-" } }

    /// Bytes that have no period.
    static func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
        var generator = SplitMix(seed: seed)
        let words = (0..<count / 8 + 1).map { _ in generator.next() }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }
}

extension TemporaryFolder {
    /// The names of the files, in order.
    var fileNames: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

/// The error of a download that must fail.
func failure(of body: () async throws -> Void) async -> SwiftyError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? SwiftyError
    }
}
