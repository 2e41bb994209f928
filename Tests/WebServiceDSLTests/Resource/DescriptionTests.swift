// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("The description of a request", .timeLimit(.minutes(15)))
struct DescriptionTests {
    @Test("is one line without secrets")
    func oneLine() {
        let resource = server().get("users/{u}", ["u": "a\r\nb"]).query([("token", "canary"), ("page", "1")]).tag("b")
            .tag("a").name("list")
        #expect("\(resource)" == "list: GET https://api.example.com/v1/users/a%0D%0Ab?token=REDACTED&page=1 [a, b]")
        #expect("\(server("nope").get("x"))".contains("cannot be loaded"))
    }

    @Test("as a curl command is quoted for a shell, and hides secrets unless asked")
    func curl() {
        let resource = server().post("x").query([("key", "canary")]).bearer("canary").header(
            key: "X-Q",
            value: "it's $HOME"
        ).header("X-E", "").text("it's; `rm`")
        #expect(
            resource.cURLDescription
                == #"curl -X 'POST' 'https://api.example.com/v1/x?key=REDACTED' "#
                + #"-H 'Authorization: REDACTED' -H 'X-Q: it'\''s $HOME' -H 'X-E;' "#
                + #"-H 'Content-Type: text/plain; charset=utf-8' --data-binary 'it'\''s; `rm`'"#
        )
        #expect(resource.cURLDescription(includingSecrets: true).contains("Bearer canary"))
        #expect(resource.cURLDescription(includingSecrets: true).contains("key=canary"))
        let form = server().post().fields(["password": "canary", "user": "a"])
        #expect(form.cURLDescription.contains("password=REDACTED&user=a"))
        let json = server().post().json(
            ["user": ["name": "a", "password": "canary"], "list": [["token": "canary"], 1]] as [String: Any]
        )
        #expect(
            json.cURLDescription.contains(
                #"{"list":[{"token":"REDACTED"},1],"user":{"name":"a","password":"REDACTED"}}"#
            )
        )
        #expect(
            server().post().multipart(name: "password", value: "canary").cURLDescription.contains("password=REDACTED")
        )
        #expect(server().get("//evil").cURLDescription.hasPrefix("# "))
        #expect(server().post().multipart(name: "a", value: "b").cURLDescription.contains("-F 'a=b'"))
    }

    @Test("as a curl command passes a shell unchanged")
    func shell() throws {
        // A combining accent makes one character of a quote and itself, and still two for a shell.
        let value = "a'b\"c\\d $x `y` !z * '\u{301}e"
        let text = server().post().text(value).cURLDescription
        // Not with Foundation's `Process`, which crashes in a process with many hundred open descriptors.
        let command = text.replacing("curl ", with: "printf '%s\\n' ", maxReplacements: 1)
        let output = try #require(popen(command, "r"))
        defer { pclose(output) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let data = Data(buffer[..<fread(&buffer, 1, buffer.count, output)])
        #expect(String(decoding: data, as: UTF8.self).split(separator: "\n").last.map(String.init) == value)
    }
}
