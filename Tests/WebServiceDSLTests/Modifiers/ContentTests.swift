// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("Content", .timeLimit(.minutes(15)))
struct ContentTests {
    private func text(_ resource: some ModifiableResource) async throws -> String {
        String(decoding: try #require(try await freeze(resource).content.data), as: UTF8.self)
    }

    private struct User: Codable {
        var name = "Ada"
        var born = Date(timeIntervalSince1970: 0)
    }

    @Test("is JSON of a dictionary, an array or an Encodable value, in a stable order")
    func json() async throws {
        #expect(try await text(server().post().json(body: ["b": 1, "a": ["x": true]])) == #"{"a":{"x":true},"b":1}"#)
        #expect(try await text(server().post().json(["b": "x/y", "a": 1.5])) == #"{"a":1.5,"b":"x/y"}"#)
        #expect(try await text(server().post().json([1, "two"] as [Any])) == #"[1,"two"]"#)
        #expect(try await text(server().post().jsonArray(array: [1, 2])) == "[1,2]")
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys
        #expect(
            try await text(server().put().json(User(), encoder: encoder))
                == #"{"born":"1970-01-01T00:00:00Z","name":"Ada"}"#
        )
        #expect(try await text(server().patch().json(encodable: User(), encoder: encoder)).hasPrefix(#"{"born""#))
        #expect(try await freeze(server().delete().json(["a": 1])).headers[.contentType] == "application/json")
    }

    @Test("that cannot be encoded fails the load, with the reason")
    func encodingFailures() async throws {
        struct Broken: Encodable {
            func encode(to encoder: any Encoder) throws { throw CocoaError(.coderInvalidValue) }
        }
        let failures: [(NetworkResource, SwiftyError.Code)] = [
            (server().post().json(Broken()), .encodingFailed),
            (server().post().json(body: ["a": { 1 }]), .jsonEncodingFailed),
            (server().post().json(body: ["a": Double.nan]), .jsonEncodingFailed),
            (server().post().json([Broken()]), .jsonEncodingFailed),
            (server().post().json([{ 1 }] as [Any]), .jsonEncodingFailed),
            (server().post().fields(["a": Data()]), .fieldsEncodingFailed),
            (server().post().file("/no/such/file"), .contentUnreadable),
            (server().post().multipart(name: "f", file: "/no/such/file"), .contentUnreadable),
        ]
        for (resource, code) in failures {
            let error = await #expect(throws: SwiftyError.self) { try await freeze(resource) }
            #expect(error?.code == code)
            #expect(error?.request?.method == "POST")
        }
    }

    @Test("is the JSON of Encodable values in an array or a dictionary, with the encoder of the service")
    func encodableElements() async throws {
        struct Item: Encodable, Sendable {
            var itemName: String
            var made = Date(timeIntervalSince1970: 0)
        }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = .sortedKeys
        let base = BaseResource("https://a.test", networkInterface: RecordingInterface(), encoder: encoder)
        let items = [Item(itemName: "a"), Item(itemName: "b")]
        let (first, second) = (#"{"item_name":"a","made":0}"#, #"{"item_name":"b","made":0}"#)
        #expect(try await text(base.post().json(items)) == "[\(first),\(second)]")
        #expect(try await text(base.post().json([Item(itemName: "a")])) == "[\(first)]")
        #expect(try await text(base.post().json(["n": items[0], "m": items[1]])) == #"{"m":\#(second),"n":\#(first)}"#)
        #expect(try await text(base.post().json(["n": items])) == #"{"n":[\#(first),\#(second)]}"#)
        #expect(try await text(base.post().json([Date(timeIntervalSince1970: 7)])) == "[7]")
        #expect(try await text(base.post().json(["b": 1, "a": ["c/d"]])) == #"{"a":["c/d"],"b":1}"#)
    }

    @Test("is a form of a dictionary, of pairs, or of an Encodable value, like a query")
    func forms() async throws {
        struct Customer: Encodable {
            var name = "A&B"
            var ages = [1, 2]
            var none: Int?
        }
        let pairs = [("b", "1"), ("a", "x y"), ("b", "2"), ("c", nil)] as [(String, String?)]
        #expect(try await text(server().post().fields(pairs)) == "b=1&a=x%20y&b=2")
        #expect(try await text(server().post().fields(Customer())) == "name=A%26B&ages=1&ages=2")
        #expect(try await text(server().post().fields(Customer(), encoding: .brackets)).contains("ages%5B%5D=1"))
        for resource in [server().post().fields(pairs), server().post().fields(Customer())] {
            let field = try await freeze(resource).headers[.contentType]
            #expect(field == "application/x-www-form-urlencoded")
        }
        for resource in [server().post().fields(7), server().post().fields([1, 2])] {
            let error = await #expect(throws: SwiftyError.self) { try await freeze(resource) }
            #expect(error?.code == .fieldsEncodingFailed)
        }
    }

    @Test("has the type of its modifier, unless the request has one of its own")
    func contentTypes() async throws {
        #expect(
            try await freeze(server().post().fields(["b": [1, 2], "a": "x y"])).headers[.contentType]
                == "application/x-www-form-urlencoded"
        )
        #expect(try await text(server().post().fields(["b": [1, 2], "a": "x y"])) == "a=x%20y&b=1&b=2")
        #expect(
            try await freeze(server().post().contentType("application/vnd.api+json").json(["a": 1])).headers[
                .contentType
            ] == "application/vnd.api+json"
        )
        #expect(try await freeze(server().post().json(["a": 1]).contentType("x/y")).headers[.contentType] == "x/y")
        #expect(
            try await freeze(server().post().data(Data([0x46]))).headers[.contentType] == "application/octet-stream"
        )
        #expect(
            try await freeze(server().post().data(Data([0x46]), contentType: "image/png")).headers[.contentType]
                == "image/png"
        )
        #expect(try await freeze(server().post().text("é")).headers[.contentType] == "text/plain; charset=utf-8")
        #expect(try await freeze(server().post()).headers[.contentType] == nil)
        let injected = await #expect(throws: SwiftyError.self) {
            try await freeze(server().post().data(Data(), contentType: "a\r\nX: y"))
        }
        #expect(injected?.code == .invalidHeader)
    }
}
