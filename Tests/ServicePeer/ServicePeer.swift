// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyCommand

/// A program with the requests of a small service, for tests that call them.
@main
struct ServicePeer {
    static func main() async {
        let command = ServiceCommand("peer", summary: "Requests of a test server.") {
            $0.add("status", "Answers with a status.", with: .required("code"), request: Peer.status)
            $0.add(
                "search",
                "Shows what it was asked.",
                with: .required("term", help: "the words"),
                .optional("page", default: 1),
                .repeated("label"),
                .flag("exact"),
                .optional("sort")
            ) { (term: String, page: Int, labels: [String], isExact: Bool, sort: Sort?) in
                Peer.search(term, page: page, labels: labels, isExact: isExact).query("sort", sort?.rawValue)
            }
            $0.add("item", "Shows an item.", with: .required("id"), .optional("share")) { (id: UUID, share: Double?) in
                if let share, share > 1 { throw PeerError.share }
                return Peer.item(id, share: share)
            }
            $0.add("login", "Sends a secret.", request: Peer.login)
        }
        await command.run()
    }
}

enum Sort: String, CaseIterable, ServiceArgument {
    case created
    case updated
}

enum PeerError: Error, CustomStringConvertible {
    case share

    var description: String { "no share is above 1" }
}

struct Echo: Decodable, Sendable {
    let url: String
}

/// The routes of a test server, whose URL is in the environment.
enum Peer: WebService {
    static var serverURL: String { ProcessInfo.processInfo.environment["PEER_URL"] ?? "http://127.0.0.1:1" }
    static let networkInterface: any NetworkInterface = Swifty {
        $0.use(SentField())
    }

    static func status(_ code: Int) -> NetworkResource {
        server.get("status/\(code)")
    }

    static func search(_ term: String, page: Int, labels: [String], isExact: Bool) -> NetworkResourceWithoutBody {
        server.get("get").query(["term": term, "page": page, "exact": isExact])
            .query(labels.map { ("label", $0) })
    }

    static func item(_ id: UUID, share: Double?) -> TypedResource<Echo> {
        server.get("anything/\(id.uuidString)").query("share", share).decode(Echo.self)
    }

    static func login() -> NetworkResource {
        server.post("post").header(.authorization, "Bearer secret-token").json(["name": "Ada"])
    }
}

/// Adds a field, as a hook of a service does.
struct SentField: RequestInterceptor {
    func intercept(resource: NetworkResource) -> NetworkResource { resource.header("X-Peer", "1") }
}
