// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

/// Runs of bytes as pairs of a number and a byte, and a zero at the end.
private struct RunLength: CustomContentCoding {
    var name = "x-runs"
    var decoder: @Sendable () throws -> any ContentDecoder = { RunDecoder() }
    var encodes = true

    func makeDecoder() throws -> any ContentDecoder { try decoder() }
    func makeEncoder() -> (any ContentEncoder)? { encodes ? RunEncoder() : nil }

    static func encoded(_ data: Data) -> Data {
        let encoder = RunEncoder()
        return encoder.encode(data) + encoder.finish()
    }
}

private final class RunEncoder: ContentEncoder {
    private var run: (count: UInt8, byte: UInt8) = (0, 0)

    func encode(_ bytes: Data) -> Data {
        var output = Data()
        for byte in bytes {
            if run.count > 0, run.byte == byte, run.count < 255 {
                run.count += 1
            } else {
                if run.count > 0 { output += [run.count, run.byte] }
                run = (1, byte)
            }
        }
        return output
    }

    func finish() -> Data {
        run.count > 0 ? Data([run.count, run.byte, 0]) : Data([0])
    }
}

private final class RunDecoder: ContentDecoder {
    private var run: (left: Int, byte: UInt8) = (0, 0)
    /// The number of a run whose byte has not arrived.
    private var count: UInt8?
    private(set) var isComplete = false

    func decode(_ input: inout Data, limit: Int) throws -> Data {
        var output = Data()
        while output.count < limit {
            if run.left > 0 {
                let length = min(run.left, limit - output.count)
                output += Data(repeating: run.byte, count: length)
                run.left -= length
            } else if let byte = input.popFirst() {
                if isComplete { throw RunError.trailing }
                if let count {
                    (run, self.count) = ((Int(count), byte), nil)
                } else if byte == 0 {
                    isComplete = true
                } else {
                    count = byte
                }
            } else {
                break
            }
        }
        return output
    }
}

private enum RunError: Error {
    case trailing
    case missing
}

/// Takes all input at once, and returns it byte by byte.
private final class SlowDecoder: ContentDecoder {
    private var held = Data()
    let isComplete = true

    func decode(_ input: inout Data, limit: Int) -> Data {
        held += input
        input = Data()
        defer { held = held.dropFirst() }
        return held.prefix(1)
    }
}

/// Does what no decoder may do.
private final class WrongDecoder: ContentDecoder {
    enum Fault: CaseIterable {
        case tooMuch, noProgress, moreInput, endless
    }

    private let fault: Fault
    let isComplete = true

    init(_ fault: Fault) {
        self.fault = fault
    }

    func decode(_ input: inout Data, limit: Int) -> Data {
        switch fault {
        case .tooMuch: return Data(count: limit + 1)
        case .noProgress: return Data()
        case .moreInput:
            input += input
            return Data([1])
        case .endless: return Data(count: limit)
        }
    }
}

extension Swifty {
    fileprivate var codings: BaseResource { BaseResource("https://api.example.com", networkInterface: self) }
}

@Suite("A content coding of the user", .timeLimit(.minutes(15)))
struct CustomCodingTests {
    private static let content = Data(repeating: 65, count: 100_000) + Data("end".utf8)

    /// A transport whose responses have these codings.
    private func stub(_ content: Data, coding: String) -> StubTransport {
        StubTransport { _ in
            let head = ResponseHead(statusCode: 200, headers: [.contentEncoding: coding])
            return TransportResponse(head: head, content: content)
        }
    }

    private func swifty(_ stub: StubTransport, _ coding: RunLength = RunLength()) -> Swifty {
        Swifty(transport: stub) { $0.contentDecoding.codings = [coding] }
    }

    @Test("is accepted before those that are built in, and decoded, any number of times")
    func decoded() async throws {
        let stub = stub(RunLength.encoded(Self.content), coding: "X-Runs")
        let swifty = swifty(stub)
        for _ in 0..<3 {
            let response = try await swifty.codings.get("x").load()
            #expect(response.data == Self.content)
            #expect(response.metrics.decodedContentBytes == Self.content.count)
        }
        #expect(stub.requests.first?.headers[.acceptEncoding]?.hasPrefix("x-runs, gzip, deflate") == true)
        let plain = Swifty(transport: stub)
        #expect(try await plain.codings.get("x").load().data == RunLength.encoded(Self.content))
    }

    @Test("belongs to one request, if it is given there")
    func request() async throws {
        let stub = stub(RunLength.encoded(Self.content), coding: "x-runs")
        var decoding = Swifty.ContentDecoding()
        decoding.codings = [RunLength()]
        let swifty = Swifty(transport: stub)
        #expect(try await swifty.codings.get("x").contentDecoding(decoding).load().data == Self.content)
        #expect(try await swifty.codings.get("x").load().data != Self.content)
        #expect(decoding == decoding && decoding != Swifty.ContentDecoding())
    }

    @Test("is decoded in a stream, and in a chain with gzip")
    func forms() async throws {
        let server = try LoopbackServer()
        let coded = RunLength.encoded(Self.content)
        server.route("GET", "/runs") { _ in .data(coded).header("Content-Encoding", "x-runs") }
        let swifty = Swifty { $0.contentDecoding.codings = [RunLength()] }
        let base = BaseResource(server.url, networkInterface: swifty)
        var streamed = Data()
        for try await part in try await base.get("runs").stream() { streamed += part }
        #expect(streamed == Self.content)
        // Coded twice: gzip of the runs.
        let zipped = try await gzip(coded)
        let chain = self.swifty(stub(zipped, coding: "x-runs, gzip"))
        #expect(try await chain.codings.get("x").load().data == Self.content)
    }

    private func gzip(_ data: Data) async throws -> Data {
        let stub = StubTransport()
        let resource = Swifty(transport: stub).codings.post("x").data(data)
        try await resource.compressed(threshold: 1).load()
        return try #require(stub.requests.first?.content.data)
    }

    @Test("is asked until it has nothing more, in memory and in a stream that is cut")
    func drained() async throws {
        let content = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0) })
        let slow = RunLength(decoder: { SlowDecoder() })
        #expect(try await swifty(stub(content, coding: "x-runs"), slow).codings.get("x").load().data == content)
        let server = try LoopbackServer()
        let coded = RunLength.encoded(Self.content)
        server.route("GET", "/runs") { _ in .data(coded.dropLast()).header("Content-Encoding", "x-runs") }
        let base = BaseResource(server.url, networkInterface: Swifty { $0.contentDecoding.codings = [RunLength()] })
        var received = Data()
        let error = await #expect(throws: SwiftyError.self) {
            for try await part in try await base.get("runs").stream() { received += part }
        }
        #expect(received == Self.content)
        #expect(error?.code == .malformedResponse)
    }

    @Test("replaces a coding of the same name")
    func replaced() async throws {
        let swifty = swifty(stub(RunLength.encoded(Self.content), coding: "gzip"), RunLength(name: "GZIP"))
        #expect(try await swifty.codings.get("x").load().data == Self.content)
    }

    @Test("fails what is cut off, damaged, or refused by its decoder")
    func failures() async throws {
        let coded = RunLength.encoded(Self.content)
        for content in [coded.dropLast(), coded.dropLast(2), coded + [1]] {
            let error = await #expect(throws: SwiftyError.self) {
                try await swifty(stub(content, coding: "x-runs")).codings.get("x").load()
            }
            #expect(error?.code == .malformedResponse)
            #expect(error?.head?.statusCode == 200)
        }
        let missing = RunLength(decoder: { throw RunError.missing })
        let error = await #expect(throws: SwiftyError.self) {
            try await swifty(stub(coded, coding: "x-runs"), missing).codings.get("x").load()
        }
        #expect(error?.underlying is RunError)
        #expect(error?.code == .malformedResponse)
    }

    @Test("is held to the limits, whatever its decoder does")
    func limits() async throws {
        let bomb = Data(repeating: 7, count: 100_000)
        var pairs = Data()
        for byte in bomb { pairs += [255, byte] }
        let small = Swifty(transport: stub(pairs + [0], coding: "x-runs")) {
            $0.contentDecoding.codings = [RunLength()]
            $0.contentDecoding.maximumBytes = 1 << 20
        }
        let error = await #expect(throws: SwiftyError.self) { try await small.codings.get("x").load() }
        #expect(error?.code == .responseTooLarge)
        for fault in WrongDecoder.Fault.allCases {
            let wrong = RunLength(decoder: { WrongDecoder(fault) })
            let error = await #expect(throws: SwiftyError.self) {
                try await swifty(stub(Data([1, 2, 3]), coding: "x-runs"), wrong).codings.get("x").load()
            }
            #expect(error?.code == (fault == .endless ? .responseTooLarge : .malformedResponse), "\(fault)")
        }
    }

    @Test("must have a name that a field can have", arguments: ["", "a b", "identity", "a,b", "x\r\ny"])
    func names(name: String) async throws {
        let stub = StubTransport()
        let error = await #expect(throws: SwiftyError.self) {
            try await swifty(stub, RunLength(name: name)).codings.get("x").load()
        }
        #expect(error?.code == .invalidSettings)
        let sending = await #expect(throws: SwiftyError.self) {
            let compression = RequestCompression(threshold: 1, coding: RunLength(name: name))
            try await Swifty(transport: stub).codings.post("x").data(Self.content).compressed(compression).load()
        }
        #expect(sending?.code == .invalidSettings)
        #expect(stub.requests.isEmpty)
    }

    @Test("encodes content in memory and in a stream, again for each attempt")
    func encoded() async throws {
        let count = Counter()
        let received = Recording<Data>()
        let stub = StubTransport { request in
            received.append(try await request.collectingContent().content.data ?? Data())
            let status = count.increment() % 2 == 1 ? 503 : 200
            return TransportResponse(head: ResponseHead(statusCode: status), content: Data())
        }
        let swifty = Swifty(transport: stub) {
            $0.requestCompression = RequestCompression(coding: RunLength())
            $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .none)
        }
        try await swifty.codings.put("x").data(Self.content).load()
        let parts = [Self.content.prefix(5_000), Self.content.dropFirst(5_000)]
        try await swifty.codings.put("x").stream(isReplayable: true) { writer in
            for part in parts { try await writer.write(part) }
        }.load()
        #expect(received.values.count == 4)
        #expect(received.values.allSatisfy { $0 == RunLength.encoded(Self.content) })
        #expect(stub.requests.allSatisfy { $0.headers[.contentEncoding] == "x-runs" })
    }

    @Test("sends content as it is if it only decodes")
    func decodesOnly() async throws {
        let stub = StubTransport()
        let compression = RequestCompression(coding: RunLength(encodes: false))
        try await Swifty(transport: stub).codings.put("x").data(Self.content).compressed(compression).load()
        #expect(stub.requests.first?.content.data == Self.content)
        #expect(stub.requests.first?.headers[.contentEncoding] == nil)
    }
}
