// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@Suite("A URI reference", .timeLimit(.minutes(15)))
struct URIReferenceTests {
    @Test(
        "is resolved as in the examples of RFC 3986 §5.4",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
            ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
            ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"), ("%2e%2e/g", "http://a/b/g"),
            (".%2E", "http://a/b/"), ("%2e/g", "http://a/b/c/g"),
            ("x/%2e%2e/../g", "http://a/b/g"), ("%2e%2eg", "http://a/b/c/%2e%2eg"),
        ]
    )
    func resolves(reference: String, resolved: String) {
        let base = URIReference("http://a/b/c/d;p?q")
        #expect(URIReference(reference).resolved(against: base).string == resolved)
    }

    @Test("is resolved against a base with no path, or with folders only")
    func bases() {
        #expect(URIReference("g").resolved(against: URIReference("http://a")).string == "http://a/g")
        #expect(URIReference("?q").resolved(against: URIReference("http://a")).string == "http://a?q")
        #expect(URIReference("g").resolved(against: URIReference("http://a/b/")).string == "http://a/b/g")
        #expect(URIReference("/.//g").resolved(against: URIReference("http://a/b")).string == "http://a//g")
    }

    @Test(
        "has the text that it was split from",
        arguments: [
            "", ":", "//", "///", "a:b:c", "1:x", "+a:x", "//u:p@h:1/p?q#f#g?", "?#", "a/b:c", "#:/?", "mailto:x",
        ]
    )
    func keeps(text: String) {
        #expect(URIReference(text).string == text)
    }

    @Test("has the parts of RFC 3986 §3")
    func parts() {
        let reference = URIReference("foo://u@example.com:8042/over/there?name=ferret#nose")
        #expect(reference.scheme == "foo")
        #expect(reference.authority == "u@example.com:8042")
        #expect(reference.path == "/over/there")
        #expect(reference.query == "name=ferret")
        #expect(reference.fragment == "nose")
        #expect(URIReference("1:x").scheme == nil)
        #expect(URIReference("a/b:c").scheme == nil)
    }
}
