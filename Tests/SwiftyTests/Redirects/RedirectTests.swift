// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

/// Tests over real connections, with requests counted at the server.
@Suite("A redirected load", .timeLimit(.minutes(15)))
struct RedirectTests {
    @Test(
        "ends at the last URL, and its metrics name each hop",
        arguments: ["redirect", "relative-redirect", "absolute-redirect"]
    )
    func follows(route: String) async throws {
        let server = try LoopbackServer()
        let response = try await BaseResource(server.url, networkInterface: Swifty()).get("\(route)/3").load()
        #expect(response.request?.target.string == server.url + "/get")
        let hops = response.metrics.redirects
        #expect(hops.map(\.statusCode) == [302, 302, 302])
        #expect(response.metrics.attempts.count == 1)
        #expect(hops.first?.from == "\(server.url)/\(route)/3")
        #expect(hops.last?.to == server.url + "/get")
        #expect(zip(hops, hops.dropFirst()).allSatisfy { $0.to == $1.from })
        #expect(hops.allSatisfy { $0.metrics.responseHeaderBytes > 0 })
        #expect(server.log.count == 4)
    }

    @Test("follows 20 redirects, and fails with the 21st response")
    func limit() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        #expect(try await base.get("redirect/20").load().metrics.redirects.count == 20)
        server.log.clear()
        let error = await #expect(throws: SwiftyError.self) { try await base.get("redirect/21").load() }
        #expect(error?.code == .tooManyRedirects)
        #expect(error?.statusCode == 302)
        #expect(error?.content?.isEmpty == false)
        #expect(error?.request?.url == server.url + "/relative-redirect/1")
        #expect(error?.metrics?.redirects.count == 20)
        #expect(server.log.count == 21)
        let short = await #expect(throws: SwiftyError.self) {
            try await base.get("redirect/3").redirects(RedirectPolicy(maximumCount: 2)).load()
        }
        #expect(short?.code == .tooManyRedirects)
    }

    @Test("that goes in a circle is a typed error with the last response")
    func loop() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/a") { _ in .text("to b", status: 302).header("Location", "/b") }
        server.route("GET", "/b") { _ in .text("to a", status: 302).header("Location", "/a") }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let error = await #expect(throws: SwiftyError.self) { try await base.get("a").retry(3).load() }
        #expect(error?.code == .redirectLoop)
        #expect(error?.content == Data("to a".utf8))
        #expect(error?.sent == .responded)
        #expect(server.log.count == 2)
        #expect(error?.attempts.count == 1)
    }

    @Test(
        "opens nothing but http and https",
        arguments: [
            "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://x/", "unix:/x", "data:,x", "javascript:x", "dict://x/",
        ]
    )
    func schemes(location: String) async throws {
        let server = try LoopbackServer()
        server.route("GET", "/a") { _ in .status(302, headers: [("Location", location)]) }
        let error = await #expect(throws: SwiftyError.self) {
            try await BaseResource(server.url, networkInterface: Swifty()).get("a").load()
        }
        #expect(error?.code == .redirectRefused)
        #expect(error?.statusCode == 302)
        #expect(server.log.count == 1)
    }

    @Test("gets the 3xx itself if redirects are off, or it has no Location")
    func none() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/nowhere") { _ in .text("no", status: 302) }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let own = Swifty { $0.redirects = .none }
        let responses = [
            try await base.get("redirect/2").redirects(.none).validate(status: .any).load(),
            try await BaseResource(server.url, networkInterface: own).get("redirect/2").validate(status: .any).load(),
            try await base.get("nowhere").validate(status: .any).load(),
        ]
        #expect(responses.allSatisfy { $0.statusCode == 302 })
        #expect(responses.allSatisfy { $0.metrics.redirects.isEmpty })
        let error = await #expect(throws: SwiftyError.self) { try await base.get("nowhere").load() }
        #expect(error?.code == .unacceptableStatus)
        #expect(server.log.count == 4)
    }

    @Test("follows the decision of the policy's closure")
    func hook() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        let seen = Recording<Int>()
        let follow = RedirectPolicy { context in
            seen.append(context.count)
            return .follow
        }
        #expect(try await base.get("redirect/2").redirects(follow).load().statusCode == 200)
        #expect(seen.values == [0, 1])
        let second = RedirectPolicy { $0.count == 1 ? .refuse : .follow }
        let refused = try await base.get("redirect/3").redirects(second).validate(status: .any).load()
        #expect(refused.statusCode == 302)
        #expect(refused.metrics.redirects.count == 1)
        let change = RedirectPolicy { context in
            var next = context.next
            next.target = context.request.target.replacing(path: "/anything", query: "a=b")
            next.headers[.userAgent] = "hook"
            return .change(next)
        }
        let changed = try await base.get("redirect/3").redirects(change).load()
        #expect(changed.request?.target.string == server.url + "/anything?a=b")
        #expect(server.log.last?["User-Agent"] == "hook")
    }

    @Test("sends the content again with 307 and 308, and to another origin only if allowed", arguments: [307, 308])
    func bodies(status: Int) async throws {
        let (server, other) = (try LoopbackServer(), try LoopbackServer())
        server.route("POST", "/here") { _ in .status(status, headers: [("Location", "/anything")]) }
        server.route("POST", "/there") { _ in .text("x", status: status).header("Location", other.url + "/anything") }
        let base = BaseResource(server.url, networkInterface: Swifty())
        _ = try await base.post("here").text("body").load()
        #expect(server.log.last?.text == "body")
        #expect(server.log.last?.method == "POST")
        let error = await #expect(throws: SwiftyError.self) { try await base.post("there").text("body").load() }
        #expect(error?.code == .redirectRefused)
        #expect(error?.content == Data("x".utf8))
        #expect(other.log.count == 0)
        let lax = RedirectPolicy(resendsContentAcrossOrigins: true)
        _ = try await base.post("there").text("body").redirects(lax).load()
        #expect(other.log.last?.text == "body")
    }

    @Test("is not retried once its first request may have taken effect")
    func retry() async throws {
        let server = try LoopbackServer()
        for status in [303, 307] {
            server.route("POST", "/\(status)") { _ in .status(status, headers: [("Location", "/broken")]) }
        }
        server.route("*", "/broken") { _ in .status(503) }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let policy = RetryPolicy(maximumAttempts: 3, backoff: .none)
        for (path, attempts) in [("303", 1), ("307", 3)] {
            let error = await #expect(throws: SwiftyError.self) {
                try await base.post(path).text("x").retry(policy).load()
            }
            #expect(error?.statusCode == 503)
            #expect(error?.attempts.count == attempts)
            #expect(server.log.count(path: "/\(path)") == attempts)
        }
    }

    @Test("does not claim that nothing was sent when a later hop cannot be reached")
    func sentState() async throws {
        let server = try LoopbackServer()
        // No process listens there; a released port may already belong to another test.
        let url = "http://127.0.0.1:1"
        server.route("POST", "/a") { _ in .status(303, headers: [("Location", url)]) }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let error = await #expect(throws: SwiftyError.self) { try await base.post("a").text("x").retry(3).load() }
        #expect(error?.code == .connectionFailed)
        #expect(error?.sent == .maybeSent)
        #expect(error?.attempts.count == 1)
        #expect(error?.request?.url == url + "/")
        #expect(error?.request?.method == "GET")
        #expect(server.log.count == 1)
    }

    @Test("that is cancelled between two hops sends nothing more")
    func cancellation() async throws {
        let server = try LoopbackServer()
        let (reached, goOn) = (Gate(), Gate())
        let policy = RedirectPolicy { _ in
            reached.open()
            await goOn.wait()
            return .follow
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let task = Task { try await base.get("redirect/3").redirects(policy).load() }
        try await until { reached.isOpen }
        task.cancel()
        goOn.open()
        let error = await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.attempts.count == 1)
        #expect(error?.metrics?.redirects.isEmpty == true)
        #expect(server.log.count == 1)
    }

    @Test("has one time limit for all hops")
    func deadline() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/slow/{n}") { request in
            let number = request.pathVariables["n"].flatMap { Int($0) } ?? 0
            return .status(302, headers: [("Location", "/slow/\(number + 1)")]).delayed(.milliseconds(300))
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let error = await #expect(throws: SwiftyError.self) {
            try await base.get("slow/1").timeout(total: .seconds(1)).load()
        }
        #expect(error?.isTimeout == true)
        #expect(server.log.count < 10)
    }

    @Test("is rerouted by each origin's own rule")
    func reroutes() async throws {
        let (first, second) = (try LoopbackServer(), try LoopbackServer())
        first.route("GET", "/a") { _ in .status(302, headers: [("Location", "http://b.test/get")]) }
        second.route("GET", "/get") { _ in .status(302, headers: [("Location", first.url + "/get")]) }
        var configuration = Swifty.Configuration()
        configuration.reroutes = [
            try TargetURI("http://a.test"): try TargetURI(first.url),
            try TargetURI("http://b.test"): try TargetURI(second.url),
        ]
        let swifty = Swifty(configuration: configuration)
        let response = try await BaseResource("http://a.test", networkInterface: swifty).get("a").load()
        #expect(response.request?.target.string == first.url + "/get")
        #expect(response.request?.connectsTo == nil)
        #expect(first.log.requests.map { $0["Host"] } == ["a.test", "127.0.0.1:\(first.port)"])
        #expect(second.log.requests.map { $0["Host"] } == ["b.test"])
    }

    @Test("is admitted for each hop, and holds no admission between them")
    func admission() async throws {
        let (first, second) = (try LoopbackServer(), try LoopbackServer())
        first.route("GET", "/a") { _ in .status(302, headers: [("Location", second.url + "/get")]) }
        var admission = AdmissionPolicy()
        admission.maximumLoads = 1
        let swifty = Swifty { $0.admission = admission }
        let base = BaseResource(first.url, networkInterface: swifty)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await base.get("a").load() } }
            try await group.waitForAll()
        }
        #expect(first.log.count == 20)
        #expect(second.log.count == 20)
        #expect(swifty.admissionStatistics.inFlight == 0)
    }

    @Test("does not run interceptors again")
    func hooks() async throws {
        let server = try LoopbackServer()
        let runs = Counter()
        let hook = RequestHook {
            runs.increment()
            return $0.header("X-Own", "1")
        }
        let swifty = Swifty(requestInterceptors: [hook])
        _ = try await BaseResource(server.url, networkInterface: swifty).get("redirect/3").load()
        #expect(runs.value == 1)
        #expect(server.log.requests.allSatisfy { $0["X-Own"] == "1" })
    }

    @Test("keeps a credential that was not sent to the origin that responded with 401")
    func refusedElsewhere() async throws {
        let (server, other) = (try LoopbackServer(), try LoopbackServer())
        server.route("GET", "/away") { _ in .status(302, headers: [("Location", other.url + "/status/401")]) }
        let fetches = Counter()
        let key = APIKey(in: .header("X-Tenant"), for: server.url) {
            fetches.increment()
            return "k"
        }
        let swifty = Swifty { $0.use(key) }
        let error = await #expect(throws: SwiftyError.self) {
            try await BaseResource(server.url, networkInterface: swifty).get("away").load()
        }
        #expect(error?.statusCode == 401)
        #expect(error?.attempts.count == 1)
        #expect(fetches.value == 1)
        #expect(other.log.count == 1)
        #expect(other.log.last?["X-Tenant"] == nil)
        #expect(other.log.last?["Authorization"] == nil)
    }
}
