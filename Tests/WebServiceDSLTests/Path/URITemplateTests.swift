// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing
import WebServiceDSL

@Suite("A URI Template", .timeLimit(.minutes(15)))
struct URITemplateTests {
    /// The variables of RFC 6570 §1.2 and §3.2, without the undefined ones.
    private static let variables: [String: URITemplate.Value] = [
        "var": "value", "hello": "Hello World!", "path": "/foo/bar", "half": "50%", "dub": "me/too", "who": "fred",
        "base": "http://example.com/home/", "empty": "", "v": "6", "x": "1024", "y": "768",
        "list": ["red", "green", "blue"], "count": ["one", "two", "three"], "dom": ["example", "com"],
        "keys": ["semi": ";", "dot": ".", "comma": ","], "empty_keys": [:],
    ]

    private func expect(
        _ text: String,
        _ variables: [String: URITemplate.Value],
        _ expansion: String,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let template = try URITemplate(text)
        #expect(try template.expand(variables) == expansion, sourceLocation: location)
        #expect(try URITemplate(template.description) == template, sourceLocation: location)
    }

    private static let simple = [
        ("{var}", "value"), ("{x,y}", "1024,768"), ("{half}", "50%25"), ("{keys}", "semi,%3B,dot,.,comma,%2C"),
        ("{list}", "red,green,blue"), ("'{var}'", "'value'"), ("{count}", "one,two,three"),
        ("{hello}", "Hello%20World%21"), ("{keys*}", "semi=%3B,dot=.,comma=%2C"), ("{list*}", "red,green,blue"),
        ("{var:3}", "val"), ("{count*}", "one,two,three"), ("{var:30}", "value"), ("'{count}'", "'one,two,three'"),
        ("O{empty}X", "OX"), ("O{undef}X", "OX"), ("map?{x,y}", "map?1024,768"), ("?{undef,y}", "?768"),
        ("?{x,empty}", "?1024,"), ("?{x,undef}", "?1024"), ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
        ("{x,hello,y}", "1024,Hello%20World%21,768"),
    ]

    private static let reserved = [
        ("{+var}", "value"), ("{+half}", "50%25"), ("{+keys}", "semi,;,dot,.,comma,,"), ("{+list}", "red,green,blue"),
        ("{+hello}", "Hello%20World!"), ("{+keys*}", "semi=;,dot=.,comma=,"), ("{+list*}", "red,green,blue"),
        ("O{+empty}X", "OX"), ("O{+undef}X", "OX"), ("{+base}index", "http://example.com/home/index"),
        ("{+path}/here", "/foo/bar/here"), ("{+x,hello,y}", "1024,Hello%20World!,768"),
        ("{+path,x}/here", "/foo/bar,1024/here"), ("{+path:6}/here", "/foo/b/here"),
        ("here?ref={+path}", "here?ref=/foo/bar"), ("up{+path}{var}/here", "up/foo/barvalue/here"),
    ]

    private static let fragment = [
        ("{#var}", "#value"), ("{#half}", "#50%25"), ("{#keys}", "#semi,;,dot,.,comma,,"),
        ("{#list}", "#red,green,blue"), ("{#hello}", "#Hello%20World!"), ("{#keys*}", "#semi=;,dot=.,comma=,"),
        ("{#list*}", "#red,green,blue"), ("foo{#empty}", "foo#"), ("foo{#undef}", "foo"),
        ("{#x,hello,y}", "#1024,Hello%20World!,768"), ("{#path,x}/here", "#/foo/bar,1024/here"),
        ("{#path:6}/here", "#/foo/b/here"),
    ]

    private static let label = [
        ("{.who}", ".fred"), ("X{.var}", "X.value"), ("X{.x,y}", "X.1024.768"),
        ("X{.keys}", "X.semi,%3B,dot,.,comma,%2C"), ("X{.list}", "X.red,green,blue"), ("X{.empty}", "X."),
        ("X{.list*}", "X.red.green.blue"), ("X{.undef}", "X"), ("X{.var:3}", "X.val"),
        ("www{.dom*}", "www.example.com"), ("{.who,who}", ".fred.fred"), ("{.half,who}", ".50%25.fred"),
        ("X{.empty_keys}", "X"), ("X{.empty_keys*}", "X"),
    ]

    private static let pathSegment = [
        ("{/var}", "/value"), ("{/who}", "/fred"), ("{/keys}", "/semi,%3B,dot,.,comma,%2C"),
        ("{/list}", "/red,green,blue"), ("{/count}", "/one,two,three"), ("{/keys*}", "/semi=%3B/dot=./comma=%2C"),
        ("{/list*}", "/red/green/blue"), ("{/count*}", "/one/two/three"), ("{/who,dub}", "/fred/me%2Ftoo"),
        ("{/who,who}", "/fred/fred"), ("{/half,who}", "/50%25/fred"), ("{/var,empty}", "/value/"),
        ("{/var,undef}", "/value"), ("{/var:1,var}", "/v/value"), ("{/var,x}/here", "/value/1024/here"),
        ("{/list*,path:4}", "/red/green/blue/%2Ffoo"),
    ]

    private static let parameter = [
        ("{;who}", ";who=fred"), ("{;x,y}", ";x=1024;y=768"), ("{;half}", ";half=50%25"),
        ("{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"), ("{;list}", ";list=red,green,blue"),
        ("{;count}", ";count=one,two,three"), ("{;empty}", ";empty"), ("{;keys*}", ";semi=%3B;dot=.;comma=%2C"),
        ("{;list*}", ";list=red;list=green;list=blue"), ("{;count*}", ";count=one;count=two;count=three"),
        ("{;hello:5}", ";hello=Hello"), ("{;v,bar,who}", ";v=6;who=fred"), ("{;x,y,empty}", ";x=1024;y=768;empty"),
        ("{;x,y,undef}", ";x=1024;y=768"), ("{;v,empty,who}", ";v=6;empty;who=fred"),
    ]

    private static let query = [
        ("{?who}", "?who=fred"), ("{?x,y}", "?x=1024&y=768"), ("{?half}", "?half=50%25"),
        ("{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"), ("{?list}", "?list=red,green,blue"),
        ("{?count}", "?count=one,two,three"), ("{?keys*}", "?semi=%3B&dot=.&comma=%2C"),
        ("{?list*}", "?list=red&list=green&list=blue"), ("{?var:3}", "?var=val"),
        ("{?count*}", "?count=one&count=two&count=three"), ("{?x,y,empty}", "?x=1024&y=768&empty="),
        ("{?x,y,undef}", "?x=1024&y=768"),
    ]

    private static let queryContinuation = [
        ("{&who}", "&who=fred"), ("{&half}", "&half=50%25"), ("{&keys}", "&keys=semi,%3B,dot,.,comma,%2C"),
        ("{&list}", "&list=red,green,blue"), ("{&keys*}", "&semi=%3B&dot=.&comma=%2C"),
        ("{&list*}", "&list=red&list=green&list=blue"), ("{&var:3}", "&var=val"),
        ("{&count*}", "&count=one&count=two&count=three"), ("{&x,y,empty}", "&x=1024&y=768&empty="),
        ("{&x,y,undef}", "&x=1024&y=768"), ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
    ]

    @Test(
        "expands as in RFC 6570",
        arguments: [simple, reserved, fragment, label, pathSegment, parameter, query, queryContinuation].joined()
    )
    func examples(text: String, expansion: String) throws {
        try expect(text, Self.variables, expansion)
    }
}
