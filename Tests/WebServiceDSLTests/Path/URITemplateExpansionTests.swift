// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing
import WebServiceDSL

@Suite("The expansion of a URI Template", .timeLimit(.minutes(15)))
struct URITemplateExpansionTests {
    typealias Variables = [String: URITemplate.Value]

    private static let person: Variables = [
        "id": "person", "token": "12345", "fields": ["id", "name", "picture"], "format": "json", "page": 5,
        "q": "URI Templates", "lang": "en", "geocode": ["37.76", "-122.427"], "first_name": "John",
        "last.name": "Doe", "Some%20Thing": "foo", "number": 6, "long": "37.76", "lat": "-122.427",
        "group_id": "12345", "uri": "http://example.org/?uri=http%3A%2F%2Fexample.org%2F", "word": "drücken",
        "Stra%C3%9Fe": "Grüner Weg", "pair": ["šöäŸœñê€£¥‡ÑÒÓÔÕ": "Ö×ØÙÚàáâãäåæçÿ"],
        "query": "PREFIX dc: <http://purl.org/dc/elements/1.1/> SELECT ?book ?who WHERE { ?book dc:creator ?who }",
        "random": "šöäŸœñê€£¥‡ÑÒÓÔÕÖ×ØÙÚàáâãäåæçÿ",
    ]

    @Test(
        "encodes the values of usual templates",
        arguments: [
            ("{/id*}", "/person"), ("/set{?number}", "/set?number=6"), ("/test{/Some%20Thing}", "/test/foo"),
            ("/loc{?long,lat}", "/loc?long=37.76&lat=-122.427"), ("/service{?word}", "/service?word=dr%C3%BCcken"),
            ("/lookup{?Stra%C3%9Fe}", "/lookup?Stra%C3%9Fe=Gr%C3%BCner%20Weg"),
            ("/go{?uri}", "/go?uri=http%3A%2F%2Fexample.org%2F%3Furi%3Dhttp%253A%252F%252Fexample.org%252F"),
            (
                "{/id*}{?fields,first_name,last.name,token}",
                "/person?fields=id,name,picture&first_name=John&last.name=Doe&token=12345"
            ),
            (
                "/search.{format}{?q,geocode,lang,locale,page,result_type}",
                "/search.json?q=URI%20Templates&geocode=37.76,-122.427&lang=en&page=5"
            ),
            (
                "/base{/group_id,first_name}/pages{/page,lang}{?format,q}",
                "/base/12345/John/pages/5/en?format=json&q=URI%20Templates"
            ),
            (
                "/sparql{?query}",
                "/sparql?query=PREFIX%20dc%3A%20%3Chttp%3A%2F%2Fpurl.org%2Fdc%2Felements%2F1.1%2F%3E%20SELECT%20"
                    + "%3Fbook%20%3Fwho%20WHERE%20%7B%20%3Fbook%20dc%3Acreator%20%3Fwho%20%7D"
            ),
            (
                "{random}",
                "%C5%A1%C3%B6%C3%A4%C5%B8%C5%93%C3%B1%C3%AA%E2%82%AC%C2%A3%C2%A5%E2%80%A1%C3%91%C3%92%C3%93%C3%94"
                    + "%C3%95%C3%96%C3%97%C3%98%C3%99%C3%9A%C3%A0%C3%A1%C3%A2%C3%A3%C3%A4%C3%A5%C3%A6%C3%A7%C3%BF"
            ),
            (
                "{?pair*}",
                "?%C5%A1%C3%B6%C3%A4%C5%B8%C5%93%C3%B1%C3%AA%E2%82%AC%C2%A3%C2%A5%E2%80%A1%C3%91%C3%92%C3%93%C3%94"
                    + "%C3%95=%C3%96%C3%97%C3%98%C3%99%C3%9A%C3%A0%C3%A1%C3%A2%C3%A3%C3%A4%C3%A5%C3%A6%C3%A7%C3%BF"
            ),
        ]
    )
    func usual(text: String, expansion: String) throws {
        #expect(try URITemplate(text).expand(Self.person) == expansion)
    }

    private static let albums: Variables = [
        "id": ["person", "albums"], "token": "12345", "fields": ["id", "name", "picture"],
    ]
    private static let numbers: Variables = [
        "42": "The Answer, and Everything", "1337": ["leet", "as", "it"], "german": ["11": "elf", "12": "zwölf"],
    ]
    private static let admin: Variables = [
        "id": "admin", "token": "12345", "tab": "overview", "keys": ["key1": "val1", "key2": "val2"],
    ]

    @Test(
        "writes the elements of an exploded list separately, also for names of digits",
        arguments: [
            ("{/id*}", albums, "/person/albums"),
            ("{/id*}{?fields,token}", albums, "/person/albums?fields=id,name,picture&token=12345"),
            ("{42}", numbers, "The%20Answer%2C%20and%20Everything"), ("{1337}", numbers, "leet,as,it"),
            ("{?42}", numbers, "?42=The%20Answer%2C%20and%20Everything"),
            ("{?1337*}", numbers, "?1337=leet&1337=as&1337=it"), ("{?german*}", numbers, "?11=elf&12=zw%C3%B6lf"),
            ("{?id,token,keys*}", admin, "?id=admin&token=12345&key1=val1&key2=val2"),
            ("{/id}{?token,keys*}", admin, "/admin?token=12345&key1=val1&key2=val2"),
            ("{?id,token}{&keys*}", admin, "?id=admin&token=12345&key1=val1&key2=val2"),
            (
                "/user{/id}{?token,tab}{&keys*}", admin,
                "/user/admin?token=12345&tab=overview&key1=val1&key2=val2"
            ),
        ] as [(String, Variables, String)]
    )
    func exploded(text: String, variables: Variables, expansion: String) throws {
        #expect(try URITemplate(text).expand(variables) == expansion)
    }

    @Test(
        "omits undefined variables and empty lists, and the operator if no other variable remains",
        arguments: [
            "/list", "/list*", "?list", "?list*", "?pairs", "?pairs*", "x", "#x", ";pairs,list*,x", "?list:3", ".x:3",
        ]
    )
    func undefined(content: String) throws {
        #expect(try URITemplate("a{\(content)}b").expand(["list": [], "pairs": [:], "unused": 1]) == "ab")
    }

    private static let triplets: Variables = [
        "id": "admin%2F", "not": "%foo", "list": ["red%25", "%2Fgreen", "blue "],
        "keys": ["key1": "val1%2F", "key2": "val2%2F"], "end": "100%", "short": "%2", "twice": "%%41",
    ]

    @Test(
        "keeps percent-encoded triplets of values only under + and #",
        arguments: [
            ("id", "admin%2F", "admin%252F"), ("not", "%25foo", "%25foo"), ("end", "100%25", "100%25"),
            ("list", "red%25,%2Fgreen,blue%20", "red%2525,%252Fgreen,blue%20"), ("short", "%252", "%252"),
            ("keys", "key1,val1%2F,key2,val2%2F", "key1,val1%252F,key2,val2%252F"), ("twice", "%25%41", "%25%2541"),
        ]
    )
    func escapes(name: String, reserved: String, simple: String) throws {
        let template = try URITemplate("{+\(name)}/-/{#\(name)}/-/{\(name)}")
        #expect(try template.expand(Self.triplets) == "\(reserved)/-/#\(reserved)/-/\(simple)")
    }

    private static let characters: Variables = [
        "var": "value", "greek": "αβγδε", "currency": "€uro", "clef": "𝄞stave", "accent": "e\u{301}x",
        "line": "\r\nx", "ascii": "%61%62%63", "one": "%C3%A9%E2%82%ACx", "invalid": "%FF%FF%C3x", "cut": "a%2",
        "empty": "",
    ]

    @Test(
        "counts the Unicode scalars of a prefix, and under + and # those that triplets encode",
        arguments: [
            ("{greek:1}", "%CE%B1"), ("{greek:2}", "%CE%B1%CE%B2"), ("{+greek:2}", "%CE%B1%CE%B2"),
            ("{greek:30}", "%CE%B1%CE%B2%CE%B3%CE%B4%CE%B5"), ("{currency:1}", "%E2%82%AC"),
            ("{?currency:1}", "?currency=%E2%82%AC"), ("{clef:1}", "%F0%9D%84%9E"), ("{var:9999}", "value"),
            ("{accent:1}", "e"), ("{+accent:2}", "e%CC%81"), ("{line:1}", "%0D"), ("{#line:1}", "#%0D"),
            ("{ascii:2}", "%256"), ("{+ascii:2}", "%61%62"), ("{one:1}", "%25"), ("{+one:1}", "%C3%A9"),
            ("{#one:2}", "#%C3%A9%E2%82%AC"), ("{+one:3}", "%C3%A9%E2%82%ACx"), ("{+invalid:2}", "%FF%FF"),
            ("{+invalid:3}", "%FF%FF%C3"), ("{+cut:2}", "a%25"), ("{+cut:3}", "a%252"), ("{;empty:3}", ";empty"),
        ]
    )
    func prefixes(text: String, expansion: String) throws {
        #expect(try URITemplate(text).expand(Self.characters) == expansion)
    }

    @Test(
        "refuses a prefix of a list or of pairs",
        arguments: ["{keys:1}", "{+keys:1}", "{?x,list:3}", "{;list:9999}"]
    )
    func prefixOfList(text: String) throws {
        let template = try URITemplate(text)
        let name = template.variableNames.last ?? ""
        let error = #expect(throws: URITemplate.ExpansionError.self) {
            try template.expand(["keys": ["a": "b"], "list": ["c"], "x": "d"])
        }
        #expect(error?.variableName == name)
        #expect(error?.description.contains(" \(name) ") == true)
    }

    @Test(
        "percent-encodes what a URI does not allow in a literal",
        arguments: [
            ("café/{var}", "caf%C3%A9/value"), ("x%20y/{var}", "x%20y/value"), ("x%2fy{var}z%20w", "x%2fyvaluez%20w"),
            ("{var}\u{301}", "value%CC%81"), ("𝄞\u{E000}", "%F0%9D%84%9E%EE%80%80"), ("", ""),
            ("!#$&'()*+,-./:;=?@[]_~", "!#$&'()*+,-./:;=?@[]_~"),
        ]
    )
    func literals(text: String, expansion: String) throws {
        #expect(try URITemplate(text).expand(["var": "value"]) == expansion)
    }

    private static let edges: Variables = [
        "pairs": ["a&b=c#": "1", "d": ""], "blank": [""], "blanks": ["", ""], "twice": ["k": "1", "k": "2"],
        "keys": ["semi": ";", "dot": "."], "x": "a/b", "y": ["1", "2"],
    ]

    @Test(
        "encodes the names of pairs, and keeps empty values and repeated names",
        arguments: [
            ("{?pairs*}", "?a%26b%3Dc%23=1&d="), ("{;pairs*}", ";a%26b%3Dc%23=1;d"), ("{pairs*}", "a%26b%3Dc%23=1,d="),
            ("{+pairs*}", "a&b=c#=1,d="), ("{&pairs}", "&pairs=a%26b%3Dc%23,1,d,"), ("{;blank}", ";blank="),
            ("{;blanks}", ";blanks=,"), ("{;blanks*}", ";blanks;blanks"), ("{?blank*}", "?blank="), ("{#blank}", "#"),
            ("{/blanks*}", "//"), ("{?twice*}", "?k=1&k=2"), ("X{.keys*}", "X.semi=%3B.dot=."),
            ("{x,x}", "a%2Fb,a%2Fb"), ("{x,y}", "a%2Fb,1,2"), ("{+x,y}", "a/b,1,2"), ("{#x,y}", "#a/b,1,2"),
            ("{.x,y}", ".a%2Fb.1,2"),
            ("{/x,y*}", "/a%2Fb/1/2"), ("{;x,y}", ";x=a%2Fb;y=1,2"), ("{?x,y*}", "?x=a%2Fb&y=1&y=2"),
            ("{&x,y}", "&x=a%2Fb&y=1,2"),
        ]
    )
    func edges(text: String, expansion: String) throws {
        #expect(try URITemplate(text).expand(Self.edges) == expansion)
    }

    @Test("takes values from literals and from interpolation")
    func values() throws {
        let name = "é"
        let variables: Variables = [
            "a": "\(name)\(1)", "b": -7, "c": true, "d": ["1", "2"], "e": ["z": "1", "y": "2"],
        ]
        #expect(try URITemplate("{a}/{b}/{c}/{d}/{e}").expand(variables) == "%C3%A91/-7/true/1,2/z,1,y,2")
        #expect(variables["e"] == .pairs([.init(name: "z", value: "1"), .init(name: "y", value: "2")]))
    }
}
