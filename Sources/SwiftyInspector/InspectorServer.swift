// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import SwiftyTestServers

/// Serves the page of an inspector and its data on 127.0.0.1.
///
/// The page is the same for everyone, and loads nothing from elsewhere. The data require the token, which is in the
/// fragment of the page's URL: a browser sends it to no server, and neither another page nor another user's process
/// knows it.
final class InspectorServer: Sendable {
    private let server: LoopbackServer
    let url: String

    /// - Throws: The failed system call if the port cannot be opened.
    init(port: UInt16, of inspector: Inspector) throws {
        let token = RandomToken.hexadecimal(words: 2)
        server = try LoopbackServer(port: port) { [weak inspector] server in
            // No request of the page has content, and the token is checked after it was read.
            server.maximumContentBytes = 0
            server.route("*", "*") { [weak server, weak inspector] request in
                // The log of requests is for tests.
                server?.log.clear()
                guard let inspector else { return .text("The inspector is gone.\n", status: 503) }
                return InspectorAPI(inspector: inspector, token: token).response(to: request).secured
            }
        }
        url = "\(server.url)/#\(token)"
    }

    func stop() async {
        await server.stop()
    }
}

/// The answers to the requests of the page.
struct InspectorAPI {
    let inspector: Inspector
    let token: String

    func response(to request: RecordedRequest) -> LoopbackResponse {
        // A name that leads to this machine could belong to another page (DNS rebinding).
        let host = request["Host"]?.split(separator: ":").first.map(String.init) ?? ""
        guard ["127.0.0.1", "localhost"].contains(host) else { return .text("Unknown host.\n", status: 403) }
        if request.method == "GET", request.path == "/" { return page }
        guard request["Authorization"] == "Bearer \(token)" else {
            return .text("The token of the page's URL is missing or wrong.\n", status: 401)
        }
        switch (request.method, request.path) {
        case ("GET", "/loads"): return json(inspector.changes(since: Int(request.query("since") ?? "") ?? -1))
        case ("GET", "/har"): return .data(inspector.har(), type: "application/json")
        case ("POST", "/clear"): inspector.clear()
        case ("POST", "/pause"): inspector.isPaused = true
        case ("POST", "/resume"): inspector.isPaused = false
        case ("GET", let path): return load(at: path)
        default: return .text("No such path.\n", status: 404)
        }
        return .status(204)
    }

    private var page: LoopbackResponse {
        .text(InspectorPage.html, type: "text/html; charset=utf-8")
    }

    /// The load of `/loads/NUMBER`.
    private func load(at path: String) -> LoopbackResponse {
        guard path.hasPrefix("/loads/"), let number = Int(path.dropFirst(7)), let load = inspector.load(number) else {
            return .text("No such load.\n", status: 404)
        }
        return json(load)
    }

    private func json(_ value: some Encodable) -> LoopbackResponse {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .millisecondsSince1970
        do {
            return .data(try encoder.encode(value), type: "application/json")
        } catch {
            return .text("\(error)\n", status: 500)
        }
    }
}

extension LoopbackResponse {
    /// The response with what a browser needs to know: nothing is stored, and nothing but the page's own script runs.
    fileprivate var secured: LoopbackResponse {
        let policy =
            "default-src 'none'; style-src 'sha256-\(InspectorPage.styleDigest)'; "
            + "script-src 'sha256-\(InspectorPage.scriptDigest)'; connect-src 'self'; base-uri 'none'; "
            + "form-action 'none'; frame-ancestors 'none'"
        return header("Content-Security-Policy", policy).header("X-Content-Type-Options", "nosniff")
            .header("Referrer-Policy", "no-referrer").header("Cache-Control", "no-store")
    }
}
