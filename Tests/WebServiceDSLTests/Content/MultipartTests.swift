// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import WebServiceDSL

@Suite("Multipart content", .timeLimit(.minutes(15)))
struct MultipartTests {
    private func boundary(_ request: NetworkRequest) throws -> String {
        try #require(request.headers[.contentType]?.split(separator: "=").last.map(String.init))
    }

    /// The header of the only part of a form.
    private func header(_ resource: some ModifiableResource) async throws -> String {
        let text = try await content(of: resource)
        let start = try #require(text.range(of: "\r\n")).upperBound
        return String(text[start..<(try #require(text.range(of: "\r\n\r\n")).lowerBound)])
    }

    @Test("quotes names and file names and is the same for every load")
    func small() async throws {
        let resource = server().post().multipart(name: "title", value: "x").multipart(
            name: "a\"; name=\"b",
            data: Data("PNG".utf8),
            fileName: "ü \"1\"\\.png",
            contentType: "image/png",
            headers: ["X-Second": "2", "Content-Language": "de"]
        )
        let boundary = try boundary(try await freeze(resource))
        #expect(boundary.utf8.count >= 32)
        let expected = [
            "--\(boundary)", "Content-Disposition: form-data; name=\"title\"", "", "x", "--\(boundary)",
            "Content-Disposition: form-data; name=\"a%22; name=%22b\"; filename=\"ü %221%22\\.png\"",
            "Content-Type: image/png", "Content-Language: de", "X-Second: 2", "", "PNG",
            "--\(boundary)--", "",
        ].joined(separator: "\r\n")
        for _ in 0..<2 {
            #expect(String(decoding: try #require(try await freeze(resource).content.data), as: UTF8.self) == expected)
        }
    }

    @Test("has a boundary that is new for every resource")
    func boundaries() async throws {
        var seen: Set<String> = []
        for _ in 0..<1000 {
            seen.insert(try boundary(try await freeze(server().post().multipart(name: "a", value: "b"))))
        }
        #expect(seen.count == 1000)
    }

    @Test("escapes line ends in names, which are CR LF, and in file names, as browsers do")
    func lineEnds() async throws {
        for (name, quoted) in [
            ("a\nb", "a%0D%0Ab"), ("a\rb", "a%0D%0Ab"), ("a\r\nb", "a%0D%0Ab"), ("\n\r", "%0D%0A%0D%0A"),
            ("\r\r\n\n", "%0D%0A%0D%0A%0D%0A"), ("a%0Ab", "a%0Ab"),
        ] {
            let expected = "Content-Disposition: form-data; name=\"\(quoted)\""
            #expect(try await header(server().post().multipart(name: name, value: "")) == expected)
        }
        let file = server().post().multipart(name: "a", data: Data(), fileName: "\r\"\n\r\n")
        #expect(try await header(file) == "Content-Disposition: form-data; name=\"a\"; filename=\"%0D%22%0A%0D%0A\"")
    }

    @Test("refuses other control characters, and header fields that are invalid or contradict the part")
    func refusals() async throws {
        let attempts = [
            server().post().multipart(name: "a\0", value: "x"),
            server().post().multipart(name: "a\u{1B}", data: Data()),
            server().post().multipart(name: "a", data: Data(), fileName: "a\u{7F}"),
            server().post().multipart(name: "a", data: Data(), contentType: "a\r\nX: y"),
            server().post().multipart(name: "a", file: "/etc/hostname", contentType: "a\nb"),
            server().post().multipart(name: "a", value: "", headers: ["X": "a\r\nY: b"]),
            server().post().multipart(name: "a", value: "", headers: ["X Y": "a"]),
            server().post().multipart(name: "a", value: "", headers: ["content-disposition": "a"]),
            server().post().multipart(name: "a", data: Data(), contentType: "a/b", headers: ["content-type": "a/c"]),
        ]
        for resource in attempts {
            #expect(await failure { _ = try await freeze(resource) }?.code == .invalidHeader)
        }
    }

    @Test("has the content of files and streams, and a length if all of them have one", arguments: [true, false])
    func sources(hasLength: Bool) async throws {
        let folder = try TemporaryFolder()
        let data = pattern(600_000)
        let path = try folder.file("a.bin", data).path
        let resource = server().post().multipart(name: "title", value: "x")
            .multipart(name: "f", file: path)
            .multipart(
                name: "s",
                stream: {
                    AsyncStream {
                        $0.yield(Data("abc".utf8))
                        $0.finish()
                    }
                },
                length: 3
            )
            .multipart(
                name: "w",
                stream: { writer in try await writer.write(data) },
                fileName: "w.bin",
                length: hasLength ? 600_000 : nil
            )
        let request = try await freeze(resource)
        let source = try #require(request.content.source)
        #expect(source.isRewindable)
        let whole = try await source.rest()
        #expect(source.length == (hasLength ? whole.count : nil))
        let boundary = try boundary(request)
        func part(_ fields: String, _ content: Data) -> Data {
            Data("--\(boundary)\r\nContent-Disposition: form-data; \(fields)\r\n\r\n".utf8) + content
                + Data("\r\n".utf8)
        }
        var expected = part("name=\"title\"", Data("x".utf8))
        expected += part("name=\"f\"; filename=\"a.bin\"\r\nContent-Type: application/octet-stream", data)
        expected += part("name=\"s\"", Data("abc".utf8)) + part("name=\"w\"; filename=\"w.bin\"", data)
        #expect(whole == expected + Data("--\(boundary)--\r\n".utf8))
        try await source.rewind()
        #expect(try await source.rest() == whole)
        source.cancel()
        #expect(try await source.replayed()?.rest() == whole)
    }

    @Test("whose parts in memory are large is not copied into one")
    func large() async throws {
        let data = pattern(2 << 20)
        let resource = server().post().multipart(name: "a", data: data).multipart(name: "b", data: data)
        let source = try await source(of: resource)
        var sizes: [Int] = []
        while let part = try await source.next() { sizes.append(part.count) }
        #expect(sizes.count == 5)
        #expect(sizes.count { $0 == 2 << 20 } == 2)
        #expect(source.length == sizes.reduce(0, +))
    }

    @Test("with a part that has another length than it announces fails, although the whole would have its length")
    func wrongLength() async throws {
        let resource = server().post()
            .multipart(name: "a", stream: { writer in try await writer.write("ab") }, length: 3)
            .multipart(name: "b", stream: { writer in try await writer.write("abcd") }, length: 3)
        let source = try await source(of: resource)
        let error = await failure { _ = try await source.rest() }
        #expect(error?.code == .contentUnreadable)
        #expect(error?.reason.contains("2 bytes, but 3") == true)
    }

    @Test("can be sent once if that is so for one of its parts")
    func once() async throws {
        let resource = server().post().multipart(name: "a", value: "b")
            .multipart(name: "a", stream: { writer in try await writer.write("ab") }, isReplayable: false)
        let source = try await source(of: resource)
        #expect(!source.isRewindable)
        #expect(source.replayed() != nil)
        _ = try await source.rest()
        #expect(source.replayed() == nil)
        #expect(await failure { _ = try await freeze(resource) }?.code == .contentNotReplayable)
    }

    @Test("is written as a curl command with its header fields")
    func command() {
        let resource = server().post().multipart(name: "a", value: "b", headers: ["X-A": "1", "X-Token": "canary"])
        #expect(resource.cURLDescription.contains("-F 'a=b;headers=X-A: 1;headers=X-Token: REDACTED'"))
    }
}
