// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
package import SwiftyTransport

import struct Foundation.Data

/// The responses of the suite's correct server, which a stub can also make.
///
/// | path | response |
/// |---|---|
/// | `/echo` | the content of the request, its method in `X-Method` |
/// | `/status/{code}` | that status, with a field that a client could act on: `Location`, `WWW-Authenticate` |
/// | `/coded` | bytes with a `Content-Encoding` |
/// | `/cookie` | a cookie to set; the received one in `X-Cookie` |
/// | `/hang` | none, until the client leaves |
package enum ConformanceOrigin {
    private struct Answer {
        var status = 200
        var fields: [(name: String, value: String)] = []
        var content = Data()
    }

    /// The response of the stub.
    package static func respond(to request: NetworkRequest) async throws -> TransportResponse {
        let fields = request.headers.map { (name: $0.name.rawName, value: $0.value) }
        let content = request.content.data ?? Data()
        let answer = try await answer(request.target.path, request.method.rawValue, fields, content)
        var headers = HTTPFields()
        for field in answer.fields {
            if let name = HTTPField.Name(field.name) { headers.append(HTTPField(name: name, value: field.value)) }
        }
        let head = ResponseHead(statusCode: answer.status, headers: headers)
        return TransportResponse(head: head, content: request.method == .head ? Data() : answer.content)
    }

    /// Adds routes with the same responses to a server.
    static func addRoutes(to server: LoopbackServer) {
        for path in ["/echo", "/status/{code}", "/coded", "/cookie", "/hang"] {
            server.route("*", path) { request in
                let answer = try await answer(request.path, request.method, request.headers, request.content)
                return LoopbackResponse(status: answer.status, headers: answer.fields, content: answer.content)
            }
        }
    }

    /// The bytes of `/coded`, which no decoder accepts.
    static let coded = Data("coded".utf8)

    private static func answer(
        _ path: String,
        _ method: String,
        _ fields: [(name: String, value: String)],
        _ content: Data
    ) async throws -> Answer {
        switch path {
        case "/echo": return Answer(fields: [("X-Method", method)], content: content)
        case "/coded": return Answer(fields: [("Content-Encoding", "x-own")], content: coded)
        case "/cookie":
            let cookie = fields.first { $0.name.lowercased() == "cookie" }?.value
            return Answer(fields: [("Set-Cookie", "a=b"), ("X-Cookie", cookie ?? "none")])
        case "/hang":
            try await Task.sleep(for: .seconds(600))
            return Answer()
        default:
            let fields = [("Location", "/echo"), ("WWW-Authenticate", #"Basic realm="test""#)]
            return Answer(status: Int(path.dropFirst(8)) ?? 404, fields: fields)
        }
    }
}
