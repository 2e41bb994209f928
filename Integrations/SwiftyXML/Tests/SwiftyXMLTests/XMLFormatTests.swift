// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyXML
import Testing

@Suite("Content as XML", .timeLimit(.minutes(15)))
struct XMLFormatTests {
    private struct Order: Codable, Sendable, Equatable {
        struct Item: Codable, Sendable, Equatable {
            var name: String
            var price: Double
        }
        var number: Int
        var item: [Item]
    }

    private enum Orders: WebService {
        static let serverURL = "https://orders.example.com"
        static let networkInterface: any NetworkInterface = Swifty()
        static let format: any ContentFormat = .xml(rootKey: "order")
        static func place(_ order: Order) -> NetworkResourceWithBody { server.post("orders").content(order) }
    }

    private let order = Order(number: 7, item: [.init(name: "a & b", price: 1.5), .init(name: "<é>", price: 2)])

    private func loaded<Value: Decodable & Sendable>(
        _ content: String,
        _ type: Value.Type,
        at place: ContentPlace? = nil
    ) async throws -> Value {
        try await Orders.server.get("x").mock(data: Data(content.utf8)).decode(type, at: place).load()
    }

    @Test("is what a service sends and reads")
    func roundTrip() async throws {
        let request = try await Orders.place(order).decode(Order.self).draft.makeRequest()
        #expect(request.headers[.contentType] == "application/xml")
        #expect(request.headers[.accept] == "application/xml")
        let text = String(decoding: request.content.data ?? Data(), as: UTF8.self)
        #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"))
        #expect(text.contains("<order><number>7</number>"))
        #expect(try await loaded(text, Order.self) == order)
    }

    @Test("has values at places")
    func places() async throws {
        let text = "<list><count>2</count><order><number>3</number></order></list>"
        #expect(try await loaded(text, Int.self, at: "order.number") == 3)
        #expect(try await loaded(text, Int.self, at: "count") == 2)
    }

    @Test("has the strategies that the service sets")
    func strategies() async throws {
        struct Visit: Codable, Sendable, Equatable { var visitorName: String, at: Date }
        let format: XMLFormat = .xml(
            rootKey: "visit",
            encoder: { encoder in
                encoder.keyEncodingStrategy = .convertToSnakeCase
                encoder.dateEncodingStrategy = .secondsSince1970
            },
            decoder: { decoder in
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                decoder.dateDecodingStrategy = .secondsSince1970
            }
        )
        let visit = Visit(visitorName: "Ada", at: Date(timeIntervalSince1970: 60))
        let content = try format.encode(visit)
        #expect(String(decoding: content, as: UTF8.self).contains("<visitor_name>Ada</visitor_name>"))
        #expect(try format.decode(Visit.self, from: content) == visit)
    }

    @Test(
        "that is none, or another value, is an error",
        arguments: ["{}", "<a>", "<order/>", "<order><number>x</number></order>", "", "<a></b>"]
    )
    func failures(content: String) async {
        let error = await #expect(throws: SwiftyError.self) { try await loaded(content, Order.self) }
        #expect(error?.code == .decodingFailed || error?.code == .emptyResponse)
    }

    @Test("reads no file by an external entity, and expands no entity a billion times")
    func entities() async {
        let file = """
            <!DOCTYPE o [<!ENTITY x SYSTEM "file:///etc/passwd">]><order><number>1</number><item><name>&x;</name>\
            <price>1</price></item></order>
            """
        let order = try? await loaded(file, Order.self)
        #expect(order?.item.first?.name.contains("root") != true)
        let levels = (1...12).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }.joined()
        let bomb =
            "<!DOCTYPE o [<!ENTITY e0 \"ha\">\(levels)]>"
            + "<order><number>1</number><item><name>&e12;</name><price>1</price></item></order>"
        let expanded = try? await loaded(bomb, Order.self)
        #expect((expanded?.item.first?.name.utf8.count ?? 0) < 1 << 20)
    }
}
