// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

@Suite("Pages from a server", .timeLimit(.minutes(15)))
struct PageLoadTests {
    private struct Item: Codable, Sendable, Equatable { var id: Int }
    private struct Page: Codable, Sendable {
        var items: [Item]
        var meta: [String: String]?
    }

    /// 25 elements in pages of 10.
    private static func items(_ page: Int) -> [Item] {
        (0..<25).dropFirst(page * 10).prefix(10).map { Item(id: $0) }
    }

    private func server() throws -> LoopbackServer {
        try LoopbackServer { server in
            server.route("GET", "/links") { request in
                let page = Int(request.query("page") ?? "") ?? 0
                let response = LoopbackResponse.json(Self.items(page))
                return page == 2 ? response : response.header("Link", "<links?page=\(page + 1)>; rel=\"next\"")
            }
            server.route("GET", "/cursor") { request in
                let page = request.query("cursor").flatMap { Int($0.dropFirst()) } ?? 0
                let meta = page == 2 ? [:] : ["next": "c\(page + 1)"]
                return .json(Page(items: Self.items(page), meta: meta))
            }
            server.route("GET", "/numbers") { request in
                .json(Self.items((Int(request.query("page") ?? "") ?? 0) - 1))
            }
            server.route("GET", "/moved") { _ in .status(302, headers: [("Location", "/links")]) }
        }
    }

    private func ids(_ elements: some AsyncSequence<Item, SwiftyError>) async throws -> [Int] {
        var ids: [Int] = []
        for try await item in elements { ids.append(item.id) }
        return ids
    }

    @Test("come by Link, also after a redirect", arguments: ["links", "moved"])
    func links(path: String) async throws {
        let server = try server()
        let resource = BaseResource(server.url, networkInterface: Swifty()).get(path).pagination(.linkHeader)
        #expect(try await ids(resource.decode([Item].self).elements()) == Array(0..<25))
        #expect(server.log.count(path: "/links") == 3)
    }

    @Test("come by cursor and by number, prefetched or not", arguments: [true, false])
    func others(prefetch: Bool) async throws {
        let server = try server()
        let base = BaseResource(server.url, networkInterface: Swifty())
        let byCursor = base.get("cursor").pagination(.cursor(in: "meta.next")).decode(Page.self)
        #expect(try await ids(byCursor.elements(of: \.items, prefetch: prefetch)) == Array(0..<25))
        let byNumber = base.get("numbers").pagination(.pageNumber()).decode([Item].self)
        #expect(try await ids(byNumber.elements(prefetch: prefetch)) == Array(0..<25))
        let bySize = base.get("numbers").pagination(.pageNumber(size: 10)).decode([Item].self)
        #expect(try await ids(bySize.elements(prefetch: prefetch)) == Array(0..<25))
        #expect(server.log.count(path: "/cursor") == 3)
        #expect(server.log.count(path: "/numbers") == 4 + 3)
    }

    @Test("are set once for an API, and stop where the loop stops")
    func service() async throws {
        let server = try server()
        let base = BaseResource(server.url, networkInterface: Swifty()) { $0.pagination(.linkHeader) }
        var count = 0
        for try await page in base.get("links").pages() {
            #expect(page.statusCode == 200)
            count += 1
            if count == 2 { break }
        }
        #expect(server.log.count == 2)
    }

    @Test("at another origin are refused, or get no secrets")
    func otherOrigin() async throws {
        let other = try LoopbackServer { server in
            server.route("GET", "/next") { _ in .json([Item(id: 2)]) }
        }
        let server = try LoopbackServer { server in
            server.route("GET", "/first") { _ in .json([Item(id: 1)]).header("Link", "<\(other.url)/next>; rel=next") }
        }
        let swifty = Swifty {
            $0.defaultHeaders = [.authorization: "canary", .userAgent: "pages"]
            $0.defaultHeaders[.tenantToken] = "canary"
            $0.use(RequestHook { $0.header("X-Session-Token", "canary") })
        }
        let first = BaseResource(server.url, networkInterface: swifty)
            .get("first").header("X-Api-Key", "canary").header("Cookie", "canary=1")
            .header("X-Plain", "1")
        let refused = first.copy().pagination(.linkHeader).decode([Item].self)
        let error = await #expect(throws: SwiftyError.self) { try await ids(refused.elements()) }
        #expect(error?.code == .nextPageRefused)
        #expect(other.log.count == 0)
        let allowed = first.pagination(.linkHeader.allowingOtherOrigins()).decode([Item].self)
        #expect(try await ids(allowed.elements()) == [1, 2])
        let requests = other.log.requests
        #expect(requests.count == 1)
        #expect(requests.allSatisfy { !$0.headText.contains("canary") })
        #expect(requests.first?["X-Plain"] == "1")
        #expect(requests.first?["User-Agent"] == "pages")
        #expect(server.log.requests.last?["X-Tenant-Token"] == "canary")
        #expect(server.log.requests.last?["Authorization"] == "canary")
        #expect(server.log.requests.last?["X-Session-Token"] == "canary")
    }
}

extension HTTPField.Name {
    fileprivate static let tenantToken = literal("X-Tenant-Token")
}
