// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import TestSupport
import Testing

@testable import Swifty

@Suite("The name of a downloaded file", .timeLimit(.minutes(15)))
struct DownloadFileNameTests {
    private func name(_ disposition: String?, _ url: String = "https://example.com/files/url.bin?a=b") -> String {
        var headers: HTTPFields = [:]
        if let disposition { headers[.contentDisposition] = disposition }
        return DownloadFileName.name(
            of: ResponseHead(statusCode: 200, headers: headers),
            target: try? TargetURI(url)
        )
    }

    @Test(
        "is that of Content-Disposition",
        arguments: [
            ("attachment; filename=a.txt", "a.txt"), ("attachment; filename=\"a b.txt\"", "a b.txt"),
            ("attachment;filename=\"a;b.txt\" ; other=1", "a;b.txt"), ("inline; FileName=\"a\\\"b.txt\"", "a\"b.txt"),
            ("attachment; filename=a b.txt", "a b.txt"), ("filename=a.txt; attachment", "url.bin"),
            ("attachment; filename*=UTF-8''na%C3%AFve%20%E2%82%AC.txt", "naïve €.txt"),
            ("attachment; filename*=utf-8'en'a.txt; filename=b.txt", "a.txt"),
            ("attachment; filename=b.txt; filename*=iso-8859-1''%E9.txt", "é.txt"),
            ("attachment; filename=b.txt; filename*=UTF-8''%FF.txt", "b.txt"),
            ("attachment; filename=b.txt; filename*=UTF-8''%4", "b.txt"),
            ("attachment; filename=b.txt; filename*=koi8-r''%C1", "b.txt"),
            ("attachment; filename=b.txt; filename*=UTF-8", "b.txt"),
            ("attachment; filename=a.txt; filename=b.txt", "a.txt"), ("attachment; name=a.txt", "url.bin"),
            ("attachment; filename=\"open", "url.bin"), ("attachment", "url.bin"), ("", "url.bin"),
            ("\"foo; filename=bar;baz\"; filename=qux", "qux"), ("\"foo; filename=bar", "url.bin"),
            ("a\"; filename=bar;\"b ; filename=qux", "qux"), ("\"a\\\"; filename=bar\"; filename=qux", "qux"),
        ]
    )
    func disposition(value: String, expected: String) {
        #expect(name(value) == expected)
    }

    @Test("has the bytes of the field, as UTF-8 or as ISO 8859-1")
    func bytes() {
        let cases: [([UInt8], String)] = [
            ([0xE4], "foo-ä.html"), ([0xC3, 0xA4], "foo-ä.html"), ([0xE4, 0xC3, 0xA4], "foo-äÃ¤.html"),
            ([0xFF, 0xD8], "foo-ÿØ.html"),
        ]
        for (bytes, expected) in cases {
            for quote in ["", "\""] {
                let value = Array("attachment; filename=\(quote)foo-".utf8) + bytes + Array(".html\(quote)".utf8)
                let headers = HTTPFields([HTTPField(name: .contentDisposition, lenientValue: value)])
                let head = ResponseHead(statusCode: 200, headers: headers)
                #expect(DownloadFileName.name(of: head, target: nil) == expected)
            }
        }
    }

    @Test(
        "is never a path, and has nothing invisible",
        arguments: [
            ("../../etc/passwd", "passwd"), ("/etc/passwd", "passwd"), ("..\\..\\windows\\a.dll", "a.dll"),
            ("C:\\a.txt", "a.txt"), ("a/", "a"), ("a/..", "download"), ("..", "download"), (".", "download"),
            ("...", "download"), ("/", "download"), ("", "download"), (" ", "download"), (".bashrc", "bashrc"),
            (". .ssh", "ssh"), ("..a", "a"), ("a\0.txt", "a.txt"), ("a\u{1}\u{7F}\u{85}b", "ab"),
            ("a\r\nb", "ab"), ("a\u{202E}txt.exe", "atxt.exe"), ("a\u{2028}b", "ab"), (" a.txt. ", "a.txt"),
            ("a.", "a"), ("%2e%2e%2f", "%2e%2e%2f"), (".a.swiftypart", "a.swiftypart"), ("\u{200B}.a", "a"),
            ("日本.txt", "日本.txt"), ("-rf", "-rf"), ("con\\nul", "nul"),
        ]
    )
    func safety(suggestion: String, expected: String) {
        #expect(DownloadFileName.safe(suggestion) ?? "download" == expected)
    }

    @Test("has at most 200 bytes, and no part of a character")
    func length() {
        let letters = String(repeating: "a", count: 199)
        #expect(DownloadFileName.safe(letters + "bc") == letters + "b")
        #expect(DownloadFileName.safe(letters + ".b") == letters)
        #expect(DownloadFileName.safe(String(repeating: "€", count: 100)) == String(repeating: "€", count: 66))
    }

    @Test(
        "is that of the URL without a suggestion",
        arguments: [
            ("https://example.com/a.bin", "a.bin"), ("https://example.com/a/b%20c?d/e", "b c"),
            ("https://example.com/a/", "a"), ("https://example.com", "download"),
            ("https://example.com/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "passwd"),
            ("https://example.com/a%01b", "ab"), ("https://example.com/.a", "a"),
        ]
    )
    func url(url: String, expected: String) throws {
        _ = try TargetURI(url)
        #expect(name(nil, url) == expected)
        #expect(name("attachment; filename=\"..\"", url) == expected)
    }

    @Test("is safe, whatever the server sends")
    func hostile() {
        var generator = SplitMix(seed: 7)
        let alphabet = Array("./\\\"';=*% \t\u{1}\u{7F}\u{202E}aé€😀-~:").map(String.init)
        for _ in 0..<2000 {
            let count = Int.random(in: 0..<300, using: &generator)
            let text = (0..<count).compactMap { _ in alphabet.randomElement(using: &generator) }.joined()
            for value in ["attachment; filename=\"\(text)\"", "a; filename*=UTF-8''\(text)", text] {
                let head = ResponseHead(statusCode: 200, headers: [.contentDisposition: value])
                let name = DownloadFileName.name(of: head, target: nil)
                #expect(!name.isEmpty && name.utf8.count <= 200 && !name.hasPrefix("."), "\(value)")
                #expect(!name.utf8.contains { "/\\".utf8.contains($0) || $0 < 0x20 || $0 == 0x7F }, "\(value)")
                let suggestion = DownloadFileName.safe(text)
                #expect(suggestion?.utf8.contains { "/\\".utf8.contains($0) || $0 < 0x20 } != true, "\(text)")
            }
        }
    }
}
