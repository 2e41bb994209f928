// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Testing

@Suite("An archive", .timeLimit(.minutes(15)))
struct ArchiveTests {
    private func copy<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    /// Measurements with a value in every part.
    private var transfer: TransferMetrics {
        var metrics = TransferMetrics()
        (metrics.queue, metrics.nameLookup, metrics.connect) = (.milliseconds(1), .microseconds(20), .nanoseconds(3))
        (metrics.tls, metrics.firstByte, metrics.receive) = (.seconds(4), .milliseconds(50), .milliseconds(6))
        metrics.total = .seconds(86_400) + .nanoseconds(7)
        (metrics.requestHeaderBytes, metrics.requestContentBytes) = (1, 2)
        (metrics.responseHeaderBytes, metrics.responseContentBytes) = (3, 4)
        (metrics.httpVersion, metrics.remoteAddress, metrics.remotePort) = (.http2, "::1", 443)
        (metrics.isConnectionReused, metrics.repetitions, metrics.isServerVerified) = (true, 2, false)
        metrics.certificates = [ServerCertificate(subject: "s", issuer: "i", der: Data([1, 2, 3]))]
        metrics.tlsParameters = .init(version: "TLSv1.3", cipherSuite: "c", applicationProtocol: "h2")
        (metrics.proxy, metrics.proxyStatusCode) = (HostAndPort(host: "p", port: 3_128), 200)
        (metrics.localAddress, metrics.localPort, metrics.connectionNumber) = ("::1", 4_000, 7)
        metrics.isCompletenessProven = true
        return metrics
    }

    private var load: LoadMetrics {
        var metrics = LoadMetrics()
        (metrics.total, metrics.constraintTime, metrics.admissionTime) = (.seconds(1), .seconds(2), .seconds(3))
        metrics.constraintWaits = [.init(name: "SignIn", duration: .milliseconds(5))]
        metrics.attempts = [
            .init(
                statusCode: 503,
                errorCode: .timedOut,
                sent: .responded,
                metrics: transfer,
                wait: .milliseconds(9),
                redirects: [.init(statusCode: 302, from: "a", to: "b", metrics: transfer)],
                challenges: 1
            )
        ]
        (metrics.decodedContentBytes, metrics.hedges, metrics.source) = (9, 2, .revalidatedCache)
        metrics.networkQuality = .fair
        return metrics
    }

    @Test("of measurements has all of their parts")
    func metrics() throws {
        #expect(try copy(transfer) == transfer)
        #expect(try copy(load) == load)
        #expect(try copy(LoadMetrics()) == LoadMetrics())
        for child in Mirror(reflecting: transfer).children {
            let initial = Mirror(reflecting: TransferMetrics()).children.first { $0.label == child.label }?.value
            #expect("\(child.value)" != "\(initial ?? "")", "\(child.label ?? "") has no value in this test")
        }
    }

    @Test("of an earlier version has default values for what it lacks")
    func absent() throws {
        #expect(try JSONDecoder().decode(TransferMetrics.self, from: Data("{}".utf8)) == TransferMetrics())
        #expect(try JSONDecoder().decode(LoadMetrics.self, from: Data("{}".utf8)) == LoadMetrics())
        let head = try JSONDecoder().decode(ResponseHead.self, from: Data(#"{"statusCode":204}"#.utf8))
        #expect(head.statusCode == 204 && head.headers.isEmpty)
    }

    @Test("of a head keeps the order and the repetition of fields")
    func head() throws {
        var fields = HTTPFields()
        for (name, value) in [("B", "1"), ("a", "2"), ("b", "é")] {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        let head = ResponseHead(statusCode: 404, reasonPhrase: "No", httpVersion: .http2, headers: fields)
        let again = try copy(head)
        #expect(again.headers.map { "\($0.name.rawName): \($0.value)" } == ["B: 1", "a: 2", "b: é"])
        #expect((again.statusCode, again.reasonPhrase, again.httpVersion) == (404, "No", .http2))
    }

    @Test("of an error has the response and the measurements, and its cause in words")
    func error() throws {
        struct Cause: Error, CustomStringConvertible { var description: String { "no route" } }
        var error = SwiftyError(.timedOut, stage: .content, sent: .maybeSent, underlying: Cause())
        error.timeLimit = .idle
        error.request = NetworkRequest.Summary(method: "GET", url: "https://a/b", template: "b", name: "n")
        error.head = ResponseHead(statusCode: 500)
        error.content = Data("c".utf8)
        (error.transfer, error.metrics) = (transfer, load)
        let again = try copy(error)
        #expect(again.description == error.description)
        #expect((again.code, again.stage, again.sent) == (.timedOut, .content, .maybeSent))
        #expect(again.timeLimit == .idle && again.request == error.request && again.statusCode == 500)
        #expect(again.content == error.content && again.transfer == transfer && again.metrics == load)
        #expect(again.reason == "no route")
    }

    @Test(
        "that is damaged is an error, and nothing is trapped",
        arguments: [
            #"{"statusCode":200,"headers":[{"name":"a b","value":"c"}]}"#, "{}", "[]", #"{"statusCode":"x"}"#,
            #"{"statusCode":200,"headers":[{"name":"a","value":"b\r\nc: d"}]}"#,
            #"{"statusCode":200,"httpVersion":"9"}"#,
        ]
    )
    func damaged(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ResponseHead.self, from: Data(text.utf8)) }
    }

    @Test("with a number that is no duration is an error", arguments: ["1e300", "-1e16", "\"1\""])
    func durations(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(TransferMetrics.self, from: Data(#"{"total":\#(text)}"#.utf8))
        }
    }
}
