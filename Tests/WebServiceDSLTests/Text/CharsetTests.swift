// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Testing

@testable import WebServiceDSL

@Suite("Text in a charset", .timeLimit(.minutes(15)))
struct CharsetTests {
    struct Sample: CustomTestStringConvertible, Sendable {
        let contentType: String?
        let bytes: [UInt8]
        /// `nil` if the bytes are no text.
        let text: String?

        init(_ contentType: String?, _ bytes: [UInt8], _ text: String?) {
            (self.contentType, self.bytes, self.text) = (contentType, bytes, text)
        }

        var testDescription: String { "\(contentType ?? "none"): \(bytes)" }
    }

    static let samples = [
        Sample(nil, Array("Größe".utf8), "Größe"),
        Sample("text/plain", Array("日本".utf8), "日本"),
        Sample("text/plain; charset=UTF-8", [0xEF, 0xBB, 0xBF, 0x61], "a"),
        Sample("text/plain; charset=utf-8", [0x61, 0xFF], nil),
        Sample("text/plain; charset=utf-8", [0x61, 0xC3], nil),
        Sample(nil, [0x47, 0x72, 0xF6], nil),
        Sample("text/plain; charset=ISO-8859-1", [0x47, 0x72, 0xF6, 0xDF, 0x65], "Größe"),
        Sample("text/plain; charset=\"iso-8859-1\"", [0xE9], "é"),
        Sample("TEXT/PLAIN;  Charset = latin1", [0xE9], "é"),
        Sample("text/plain; charset=iso-8859-1", [0xEF, 0xBB, 0xBF, 0x61], "ï»¿a"),
        Sample("text/plain; charset=iso-8859-15", [0xA4, 0xBD], "€œ"),
        Sample("text/plain; charset=windows-1252", [0x80, 0x93, 0x61, 0x94, 0x81], "€“a”\u{81}"),
        Sample("text/plain; charset=us-ascii", [0x61, 0x7F], "a\u{7F}"),
        Sample("text/plain; charset=us-ascii", [0x80], nil),
        Sample("text/plain; charset=utf-16", [0xFE, 0xFF, 0, 0x61, 0xD8, 0x3D, 0xDE, 0x00], "a😀"),
        Sample("text/plain; charset=utf-16", [0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8, 0x00, 0xDE], "a😀"),
        Sample("text/plain; charset=utf-16", [0, 0x61], "a"),
        Sample("text/plain; charset=utf-16le", [0x61, 0, 0x0A, 0], "a\n"),
        Sample("text/plain; charset=utf-16be", [0, 0x61], "a"),
        Sample("text/plain; charset=utf-16", [0, 0x61, 0], nil),
        Sample("text/plain; charset=utf-16", [0xDE, 0x00, 0, 0x61], nil),
        Sample("text/plain; charset=utf-16", [0xD8, 0x3D, 0, 0x61], nil),
        Sample(nil, [0xFF, 0xFE, 0x61, 0, 0x62, 0], "ab"),
        Sample("text/plain; charset=utf-32", [0, 0, 0xFE, 0xFF, 0, 1, 0xF6, 0], "😀"),
        Sample("text/plain; charset=utf-32le", [0x61, 0, 0, 0], "a"),
        Sample("text/plain; charset=utf-32", [0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], "a"),
        Sample("text/plain; charset=utf-32", [0, 0x11, 0, 0], nil),
        Sample("text/plain; charset=Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
        Sample("text/plain; charset=EUC-JP", [0xC6, 0xFC], "日"),
        Sample("text/plain; charset=EUC-JP", [0xC6], nil),
        Sample("text/plain; charset=koi8-r", [0xC1], "а"),
        Sample("text/plain; charset=no-such-charset", [0x61], nil),
        Sample("text/plain; charset=utf-8//IGNORE", [0x61, 0xFF], nil),
        Sample("text/plain; charset=utf-7", [0x61], nil),
        Sample("text/plain; charset=\"\"", [0x61], "a"),
        Sample("text/plain; charset=utf-16", [], ""),
        Sample("text/plain; format=flowed; charset=latin1; x=y", [0xE9], "é"),
    ]

    private func response(_ sample: Sample) -> NetworkResponse {
        var fields = HTTPFields()
        fields[.contentType] = sample.contentType
        return NetworkResponse(
            head: ResponseHead(statusCode: 200, headers: fields),
            data: sample.bytes.isEmpty ? nil : Data(sample.bytes)
        )
    }

    @Test("is that of Content-Type, or of a mark, and nothing is replaced", arguments: samples)
    func text(_ sample: Sample) {
        let response = response(sample)
        #expect(response.string == sample.text)
        if sample.text == nil {
            let error = #expect(throws: SwiftyError.self) { try response.text() }
            #expect(error?.code == .decodingFailed)
            #expect(error?.content == Data(sample.bytes))
        }
    }

    @Test("is the same however its bytes are divided", arguments: samples)
    func parts(_ sample: Sample) {
        for size in 1...5 {
            var decoding = TextDecoding(contentType: sample.contentType)
            var text = Data()
            let whole = try? {
                for start in stride(from: 0, to: sample.bytes.count, by: size) {
                    text += try decoding.decode(Data(sample.bytes[start..<min(start + size, sample.bytes.count)]))
                }
                text += try decoding.finish()
                return String(decoding: text, as: UTF8.self)
            }()
            #expect(whole == sample.text, "parts of \(size)")
        }
    }

    @Test("may be long in a charset of the system, and an error in it is one")
    func long() throws {
        let bytes = (0..<20_000).flatMap { _ in [0x93, 0xFA] as [UInt8] }
        let type = "text/plain; charset=shift_jis"
        #expect(try TextDecoding.text(Data(bytes), contentType: type) == String(repeating: "日", count: 20_000))
        let error = #expect(throws: SwiftyError.self) {
            try TextDecoding.text(Data(bytes + [0xFF, 0xFF] + bytes), contentType: type)
        }
        #expect(error?.reason == "the text is not shift_jis")
    }

    @Test("is the value of a typed load of text, and JSON in another charset is understood")
    func typed() throws {
        let text = response(Sample("text/plain; charset=iso-8859-1", [0x47, 0xF6], "Gö"))
        #expect(try text.decode(String.self) == "Gö")
        let json = response(
            Sample("application/json; charset=iso-8859-1", Array("{\"a\":\"".utf8) + [0xE9, 0x22, 0x7D], nil)
        )
        #expect(try json.decode([String: String].self) == ["a": "é"])
        #expect(try json.json() as? [String: String] == ["a": "é"])
        let unknown = response(Sample("text/plain; charset=nonsense", [0x61], nil))
        #expect(throws: SwiftyError.self) { try unknown.decode(String.self) }
        // A JSON string stays one.
        #expect(try response(Sample("application/json", Array("\"a\"".utf8), nil)).decode(String.self) == "a")
    }

    @Test("Values of fields can be had as bytes")
    func fieldBytes() {
        let lines = Array("X-Name: Jos".utf8) + [0xE9, 0x0D, 0x0A] + Array("x-name:  b \r\nY: c\r\n".utf8)
        let head = ResponseHead(statusCode: 200, reasonPhrase: "OK", httpVersion: .http1_1, rawFields: lines)
        #expect(head.bytes(of: "X-NAME") == [Array("Jos".utf8) + [0xE9], Array("b".utf8)])
        #expect(head.bytes(of: "z").isEmpty)
        #expect(head.bytes(of: "no name").isEmpty)
    }
}
