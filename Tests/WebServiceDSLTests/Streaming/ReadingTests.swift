// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import WebServiceDSL

@Suite("Reading a streamed content", .timeLimit(.minutes(15)))
struct ReadingTests {
    private func resource(_ interface: any NetworkInterface) -> NetworkResource {
        BaseResource("https://api.example.com", networkInterface: interface).get("log")
    }

    @Test("by chunks and by bytes gives the whole content")
    func bytes() async throws {
        let content = Data((0...255).map { UInt8($0) })
        for parts in divisions(of: content) {
            let interface = StreamingInterface(ResponseStream(parts: parts), ResponseStream(parts: parts))
            #expect(try await resource(interface).chunks().collect() == parts)
            #expect(try await resource(interface).bytes().collect() == Array(content))
        }
    }

    @Test("begins with the first element, and each iterator loads anew")
    func loads() async throws {
        let interface = StreamingInterface(ResponseStream("a\nb"), ResponseStream("c"))
        let lines = resource(interface).lines()
        var iterator = lines.makeAsyncIterator()
        #expect(interface.requests.isEmpty)
        #expect(try await iterator.next() == "a")
        #expect(try await lines.collect() == ["c"])
        #expect(try await iterator.next() == "b")
        #expect(interface.requests.count == 2)
    }

    @Test("loads the request as it was when the sequence was made")
    func snapshot() async throws {
        let interface = StreamingInterface(ResponseStream("a"))
        let resource = resource(interface)
        let lines = resource.lines()
        resource.header("Late", "1")
        #expect(try await lines.collect() == ["a"])
        #expect(interface.requests.map { $0.headers.isEmpty } == [true])
    }

    @Test("ends the transfer when the loop is left")
    func leaving() async throws {
        let content = PartedContent(["a\nb", "\nc\n", "d"].map { Data($0.utf8) })
        let stream = ResponseStream(head: ResponseHead(statusCode: 200), content: content)
        let lines = resource(StreamingInterface(stream)).lines()
        for try await line in lines where line == "b" { break }
        #expect(content.isCancelled)
        #expect(content.readCount == 2)
    }

    @Test("of an open stream leaves the transfer to the owner of the stream")
    func openStream() async throws {
        let content = PartedContent(["a\n", "b\n"].map { Data($0.utf8) })
        let stream = ResponseStream(head: ResponseHead(statusCode: 200), content: content)
        for try await line in stream.lines() {
            #expect(line == "a")
            break
        }
        #expect(!content.isCancelled)
        #expect(try await stream.lines().collect() == ["b"])
    }

    @Test("with a closure awaits it for each part, and returns the head")
    func closure() async throws {
        let interface = StreamingInterface(ResponseStream("a", "b"))
        var parts: [String] = []
        let head = try await resource(interface).read { part in
            await Task.yield()
            parts.append(String(decoding: part, as: UTF8.self))
        }
        #expect(parts == ["a", "b"])
        #expect(head.statusCode == 200)
    }

    @Test("with a closure that throws ends the transfer and throws its error")
    func failingClosure() async throws {
        struct Full: Error {}
        let content = PartedContent(["a", "b"].map { Data($0.utf8) })
        let stream = ResponseStream(head: ResponseHead(statusCode: 200), content: content)
        await #expect(throws: Full.self) {
            try await resource(StreamingInterface(stream)).read { _ in throw Full() }
        }
        #expect(content.readCount == 1)
        #expect(content.isCancelled)
    }

    @Test("without keeping it reads to the end")
    func discarding() async throws {
        let content = PartedContent(["a", "b"].map { Data($0.utf8) })
        let stream = ResponseStream(head: ResponseHead(statusCode: 203), content: content)
        let response = try await resource(StreamingInterface(stream)).discard()
        #expect(response.statusCode == 203)
        #expect(response.data == nil)
        #expect(content.readCount == 2)
    }

    @Test("fails like the load")
    func failure() async throws {
        let interface = StreamingInterface()
        let error = await #expect(throws: SwiftyError.self) { try await resource(interface).lines().collect() }
        #expect(error?.code == .connectionFailed)
        let invalid = resource(interface).query(["a": Data.self])
        let invalidError = await #expect(throws: SwiftyError.self) { try await invalid.bytes().collect() }
        #expect(invalidError?.code == .queryEncodingFailed)
    }
}
