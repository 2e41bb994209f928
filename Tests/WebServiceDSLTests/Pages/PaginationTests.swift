// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import WebServiceDSL

@Suite("Pages", .timeLimit(.minutes(15)))
struct PaginationTests {
    private func resource(_ interface: any NetworkInterface, _ pagination: Pagination) -> NetworkResource {
        BaseResource("https://api.example.com", networkInterface: interface).get("items").pagination(pagination)
    }

    /// An interface whose response to the nth request is the nth page.
    private func interface(_ pages: [(link: String?, content: String)]) -> RecordingInterface {
        let count = Counter()
        return RecordingInterface { request in
            let page = pages[min(count.increment(), pages.count) - 1]
            var headers = HTTPFields()
            headers[HTTPField.Name.link] = page.link
            let head = ResponseHead(statusCode: 200, headers: headers)
            return NetworkResponse(head: head, data: Data(page.content.utf8), request: request)
        }
    }

    private func targets(_ interface: RecordingInterface) -> [String] {
        interface.requests.map { String($0.target.string.dropFirst("https://api.example.com".count)) }
    }

    @Test("follow the Link field, relative or absolute")
    func links() async throws {
        let interface = interface([
            ("<?page=2>; rel=next", "[1,2]"), ("<https://API.example.com/items?page=3>; rel=\"x NEXT\"", "[3]"),
            ("</other?page=4 b>; rel=next, </items?page=1>; rel=prev", "[]"),
            ("</x>; rel=next; anchor=\"/else\", <y>; rel=last", "[4]"),
        ])
        let numbers = resource(interface, .linkHeader).query(["q": "a b"]).decode([Int].self)
        #expect(try await numbers.elements().collect() == [1, 2, 3, 4])
        #expect(targets(interface) == ["/items?q=a%20b", "/items?page=2", "/items?page=3", "/other?page=4%20b"])
    }

    @Test("are loaded as they are needed, and anew by each iterator")
    func laziness() async throws {
        let interface = interface([("<?page=2>; rel=next", "[1,2]"), (nil, "[3]"), (nil, "[4]")])
        let elements = resource(interface, .linkHeader).decode([Int].self).elements()
        #expect(interface.requests.isEmpty)
        var iterator = elements.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        #expect(try await iterator.next() == 2)
        #expect(interface.requests.count == 1)
        #expect(try await iterator.next() == 3)
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(interface.requests.count == 2)
        #expect(try await elements.collect() == [4])
    }

    @Test("follow a cursor in the content, which replaces the last one")
    func cursor() async throws {
        struct Page: Codable, Sendable { var items: [Int] }
        let interface = interface([
            (nil, #"{"items":[1],"meta":{"next":"a+b/c="}}"#), (nil, #"{"items":[2,3],"meta":{"next":17}}"#),
            (nil, #"{"items":[4],"meta":{"next":null}}"#),
        ])
        let pages = resource(interface, .cursor(in: "meta.next", query: "after")).query([("after", "0"), ("size", "2")])
        #expect(try await pages.decode(Page.self).elements(of: \.items).collect() == [1, 2, 3, 4])
        #expect(
            targets(interface) == [
                "/items?after=0&size=2", "/items?size=2&after=a%2Bb%2Fc%3D", "/items?size=2&after=17",
            ]
        )
    }

    @Test(
        "end without a cursor",
        arguments: [#"{}"#, #"{"next":null}"#, #"{"next":""}"#, "", #"{"meta":null}"#, #"{"next":{"inner":1}}"#]
    )
    func noCursor(content: String) async throws {
        let interface = interface([(nil, content)])
        let member = content.contains("inner") ? "next.other" : "next"
        #expect(try await resource(interface, .cursor(in: member)).pages().collect().count == 1)
    }

    @Test("follow a URL in the content, also of a member whose name has a dot")
    func url() async throws {
        let interface = interface([
            (nil, #"{"@odata.nextLink":"https://api.example.com/items?skip=1"}"#),
            (nil, #"{"@odata.nextLink":"?s=2"}"#),
            (nil, "{}"),
        ])
        #expect(try await resource(interface, .nextURL(in: "@odata.nextLink")).pages().collect().count == 3)
        #expect(targets(interface) == ["/items", "/items?skip=1", "/items?s=2"])
    }

    @Test("by a closure of the caller, whose error is thrown behind its page")
    func closure() async throws {
        struct Odd: Error {}
        let interface = interface([(nil, "b"), (nil, "c")])
        let pagination = Pagination.cursor { content in
            let text = String(decoding: content, as: UTF8.self)
            if text == "c" { throw Odd() }
            return text
        }
        var pages = resource(interface, pagination).pages().makeAsyncIterator()
        #expect(try await pages.next()?.string == "b")
        #expect(try await pages.next()?.string == "c")
        let error = await #expect(throws: SwiftyError.self) { try await pages.next() }
        #expect(error?.code == .decodingFailed)
        #expect(error?.underlying is Odd)
        #expect(error?.content == Data("c".utf8))
        #expect(try await pages.next() == nil)
        #expect(targets(interface) == ["/items", "/items?cursor=b"])
    }

    @Test("by number end with an empty page, which is not delivered unless it is the first")
    func numbers() async throws {
        let interface = interface([(nil, "[1,2]"), (nil, "[3]"), (nil, "[]")])
        let pages = resource(interface, .pageNumber()).decode([Int].self).pages()
        #expect(try await pages.collect() == [[1, 2], [3]])
        #expect(targets(interface) == ["/items?page=1", "/items?page=2", "/items?page=3"])
        let empty = resource(self.interface([(nil, "[]")]), .pageNumber()).decode([Int].self).pages()
        #expect(try await empty.collect() == [[]])
    }

    @Test("by number with a known size end with a short page, which is delivered")
    func shortPage() async throws {
        let interface = interface([(nil, #"{"d":{"items":[1,2]}}"#), (nil, #"{"d":{"items":[3]}}"#)])
        let pagination = Pagination.pageNumber(
            query: "offset",
            first: 0,
            step: 2,
            size: 2,
            sizeQuery: "limit",
            elementsIn: "d.items"
        )
        #expect(try await resource(interface, pagination).pages().collect().count == 2)
        #expect(targets(interface) == ["/items?offset=0&limit=2", "/items?limit=2&offset=2"])
    }

    @Test("by number begin with that of the request")
    func firstNumber() async throws {
        let interface = interface([(nil, "[1]"), (nil, "")])
        let pages = resource(interface, .pageNumber(sizeQuery: "n")).query(["page": 7]).pages()
        #expect(try await pages.collect().count == 1)
        #expect(targets(interface) == ["/items?page=7", "/items?page=8"])
    }

    @Test("by number need an array")
    func noArray() async throws {
        let interface = interface([(nil, #"{"items":[1]}"#)])
        for member in [nil, "item"] {
            var pages = resource(interface, .pageNumber(elementsIn: member)).pages().makeAsyncIterator()
            #expect(try await pages.next() != nil)
            let error = await #expect(throws: SwiftyError.self) { try await pages.next() }
            #expect(error?.code == .decodingFailed)
        }
    }

    @Test("have a largest number")
    func tooMany() async throws {
        let count = Counter()
        let interface = RecordingInterface { request in
            NetworkResponse(
                head: ResponseHead(statusCode: 200),
                data: Data("\(count.increment())".utf8),
                request: request
            )
        }
        let pagination = Pagination.cursor { String(decoding: $0, as: UTF8.self) }.maximumPages(3)
        let received = Counter()
        let error = await #expect(throws: SwiftyError.self) {
            for try await _ in resource(interface, pagination).pages() { received.increment() }
        }
        #expect(error?.code == .tooManyPages)
        #expect(received.value == 3)
        #expect(interface.requests.count == 3)
    }

    @Test("that lead back are a loop", arguments: ["<>", "<?>", "</items>", "<https://api.example.com:443/items>"])
    func loop(target: String) async throws {
        let interface = interface([("\(target); rel=next", ""), ("<?>; rel=next", "")])
        let error = await #expect(throws: SwiftyError.self) {
            try await resource(interface, .linkHeader).pages().collect()
        }
        #expect(error?.code == .pageLoop)
        #expect(interface.requests.count <= 2)
    }

    @Test("of a loop over several pages end with the first that comes again")
    func longLoop() async throws {
        let interface = interface([("<?2>; rel=next", ""), ("<?3>; rel=next", ""), ("<?2>; rel=next", "")])
        let error = await #expect(throws: SwiftyError.self) {
            try await resource(interface, .linkHeader).pages().collect()
        }
        #expect(error?.code == .pageLoop)
        #expect(error?.head?.statusCode == 200)
        #expect(interface.requests.count == 3)
    }

    @Test(
        "are not loaded from where a link must not lead",
        arguments: [
            "<https://evil.example/items>", "<http://api.example.com/items?2>", "<https://api.example.com:444/>",
            "<//evil.example>", "<https://api.example.com@evil.example/>", "<javascript:alert(1)>", "<file:///x>",
            "<https://api.example.com\\@evil.example/>", "<//api.example.com @evil.example/>", "<?2",
            "<?2>; rel=\"next",
        ]
    )
    func refused(link: String) async throws {
        let interface = interface([("\(link); rel=next", "[1]")])
        var pages = resource(interface, .linkHeader).pages().makeAsyncIterator()
        #expect(try await pages.next() != nil)
        let error = await #expect(throws: SwiftyError.self) { try await pages.next() }
        #expect(error?.code == .nextPageRefused)
        #expect(interface.requests.count == 1)
    }

    @Test("at another origin get no secrets, and neither do those behind it")
    func otherOrigin() async throws {
        let interface = interface([
            ("<https://b.example/2>; rel=next", ""), ("<https://api.example.com/3>; rel=next", ""), (nil, ""),
        ])
        let resource = resource(interface, .linkHeader.allowingOtherOrigins())
            .bearer("canary").header("X-Api-Key", "canary").header("Cookie", "canary")
            .header("Proxy-Authorization", "canary").accept("a/b").query(["token": "canary"])
        #expect(try await resource.pages().collect().count == 3)
        let requests = interface.requests
        #expect(requests.map { $0.headers.count } == [5, 1, 1])
        #expect(requests.map { $0.headers[.accept] } == ["a/b", "a/b", "a/b"])
        #expect(requests.map(\.target.string).dropFirst() == ["https://b.example/2", "https://api.example.com/3"])
        for request in requests.dropFirst() {
            #expect(!request.leavesOpen(.authorization))
            #expect(!request.leavesOpen(.cookie))
        }
    }

    @Test("at another origin are refused over http, and with content")
    func otherOriginLimits() async throws {
        for (scheme, link, hasContent) in [("https", "http", false), ("http", "https", true), ("https", "https", true)]
        {
            #expect(try await follow(from: scheme, to: link, hasContent: hasContent) == .nextPageRefused)
        }
        for (scheme, link) in [("http", "http"), ("http", "https"), ("https", "https")] {
            #expect(try await follow(from: scheme, to: link, hasContent: false) == nil)
        }
    }

    private func follow(from scheme: String, to link: String, hasContent: Bool) async throws -> SwiftyError.Code? {
        let interface = interface([("<\(link)://b.example/2>; rel=next", ""), (nil, "")])
        let resource = BaseResource("\(scheme)://api.example.com", networkInterface: interface).post("x")
        if hasContent { resource.text("secret") }
        do {
            let pages = try await resource.pagination(.linkHeader.allowingOtherOrigins()).pages().collect()
            #expect(pages.count == 2)
            return nil
        } catch let error as SwiftyError {
            #expect(interface.requests.count == 1)
            return error.code
        }
    }

    @Test("fail with their loads, and without a pagination")
    func failures() async throws {
        let failing = RecordingInterface { request in
            NetworkResponse(error: SwiftyError(.connectionFailed, stage: .connect), request: request)
        }
        let error = await #expect(throws: SwiftyError.self) {
            try await resource(failing, .linkHeader).pages().collect()
        }
        #expect(error?.code == .connectionFailed)
        let none = await #expect(throws: SwiftyError.self) { try await server().get("x").pages().collect() }
        #expect(none?.code == .invalidSettings)
        let invalid = server().get("x").pagination(.linkHeader).query(["a": Data.self])
        let invalidError = await #expect(throws: SwiftyError.self) { try await invalid.pages().collect() }
        #expect(invalidError?.code == .queryEncodingFailed)
    }

    @Test("that cannot be decoded end the sequence")
    func decoding() async throws {
        let interface = interface([("<?2>; rel=next", "[1]"), ("<?3>; rel=next", "{}"), (nil, "[3]")])
        var pages = resource(interface, .linkHeader).decode([Int].self).pages().makeAsyncIterator()
        #expect(try await pages.next() == [1])
        let error = await #expect(throws: SwiftyError.self) { try await pages.next() }
        #expect(error?.code == .decodingFailed)
        #expect(try await pages.next() == nil)
        #expect(interface.requests.count == 2)
    }
}

@Suite("Prefetched pages", .timeLimit(.minutes(15)))
struct PrefetchTests {
    /// Responds to each request after a gate has opened; endless.
    private final class GatedInterface: NetworkInterface {
        let begun = Recording<String>()
        let cancelled = Counter()
        private let gates = Mutex<[Gate]>([])

        /// The gate of the nth request.
        func gate(_ index: Int) -> Gate {
            gates.withLock { gates in
                while gates.count <= index { gates.append(Gate()) }
                return gates[index]
            }
        }

        func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
            let index = begun.count
            begun.append(draft.fullTarget?.query ?? "")
            let gate = gate(index)
            _ = cancellation.onCancel { [cancelled] _ in
                cancelled.increment()
                gate.open()
            }
            await gate.wait()
            if let code = cancellation.code { return NetworkResponse(error: SwiftyError(code, stage: .queue)) }
            return NetworkResponse(head: ResponseHead(statusCode: 200), data: Data("[\(index)]".utf8))
        }
    }

    private func pages(_ interface: GatedInterface, prefetch: Bool) -> NetworkSequence<[Int]> {
        BaseResource("https://api.example.com", networkInterface: interface).get()
            .pagination(.pageNumber(first: 0)).decode([Int].self).pages(prefetch: prefetch)
    }

    @Test("are loaded while the one before is used, one ahead")
    func ahead() async throws {
        let interface = GatedInterface()
        for index in 0..<3 { interface.gate(index).open() }
        var iterator = pages(interface, prefetch: true).makeAsyncIterator()
        #expect(try await iterator.next() == [0])
        try await until { interface.begun.count == 2 }
        #expect(try await iterator.next() == [1])
        try await until { interface.begun.count == 3 }
        #expect(interface.begun.values == ["page=0", "page=1", "page=2"])
    }

    @Test("are not loaded unless they are asked for")
    func notAhead() async throws {
        let interface = GatedInterface()
        interface.gate(0).open()
        var iterator = pages(interface, prefetch: false).makeAsyncIterator()
        #expect(try await iterator.next() == [0])
        for _ in 0..<100 { await Task.yield() }
        #expect(interface.begun.count == 1)
    }

    @Test("are cancelled when the loop is left")
    func leaving() async throws {
        let interface = GatedInterface()
        interface.gate(0).open()
        for try await page in pages(interface, prefetch: true) {
            #expect(page == [0])
            try await until { interface.begun.count == 2 }
            break
        }
        try await until { interface.cancelled.value == 1 }
    }

    @Test("are cancelled with the task that waits for them")
    func cancellation() async throws {
        let interface = GatedInterface()
        interface.gate(0).open()
        let pages = pages(interface, prefetch: true)
        let received = Recording<[Int]>()
        let task = Task { for try await page in pages { received.append(page) } }
        try await until { interface.begun.count == 2 && received.count == 1 }
        task.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(interface.cancelled.value == 1)
    }
}
