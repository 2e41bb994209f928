// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Swifty

@Suite("The challenges of a response", .timeLimit(.minutes(15)))
struct ChallengeTests {
    private func parse(_ values: String...) -> [Challenge] { Challenge.parse(values) }

    @Test("may have parameters, a token or nothing, and share a field or not")
    func forms() {
        #expect(parse("Negotiate") == [Challenge(scheme: "negotiate")])
        #expect(parse("Negotiate YII==") == [Challenge(scheme: "negotiate", token: "YII==")])
        #expect(
            parse(#"Basic realm="a, b=c", charset="UTF-8""#)
                == [Challenge(scheme: "basic", parameters: ["realm": "a, b=c", "charset": "UTF-8"])]
        )
        let three = [
            Challenge(scheme: "newauth", parameters: ["realm": "apps", "type": "1", "title": #"Login to "apps""#]),
            Challenge(scheme: "negotiate"), Challenge(scheme: "basic", parameters: ["realm": "simple"]),
        ]
        // The example of RFC 9110 §11.6.1, with one more.
        #expect(
            parse(#"Newauth realm="apps", type=1, title="Login to \"apps\"", Negotiate, Basic realm="simple""#) == three
        )
        #expect(
            parse(#"Newauth realm="apps", type=1, title="Login to \"apps\"""#, "Negotiate", "Basic realm=simple")
                == three
        )
    }

    @Test(
        "may be written with blanks and empty elements",
        arguments: [
            " , ,Basic realm = \"a\" ,, q=1, ", "basic  realm=a,q=1", "BASIC REALM=\"\\a\" ,\tQ\t=\t\"1\"",
            "Basic realm=a, , q=1,",
        ]
    )
    func blanks(value: String) {
        #expect(parse(value) == [Challenge(scheme: "basic", parameters: ["realm": "a", "q": "1"])])
    }

    @Test(
        "count as absent if the field breaks the grammar",
        arguments: [
            "=", "\"Basic\"", "Basic realm", "Basic realm=", "Basic realm=\"", "Basic realm=\"a", "Basic realm=\"a\\",
            "Basic realm=\"a\\\"", "Basic realm=a b", "Basic realm=a realm2=b", "Basic realm=a, Realm=b",
            "Basic realm=\"a\"x", "Basic realm=\"a\0b\"", "Basic realm=\"a\u{7F}b\"", "Basic realm=\"a\\\0\"",
            "Basic\trealm=a",
            "Basic realm=a, Digest nonce=\"", "Basic =a", "Basic ,=a", "Basic;realm=a", "Básic realm=a", "Basic a==b",
            "Basic a b",
            "Basic realm=a\r\n b=c",
        ]
    )
    func malformed(value: String) {
        let challenges = parse(value, "Other x=1").filter { !$0.parameters.isEmpty }
        #expect(challenges == [Challenge(scheme: "other", parameters: ["x": "1"])])
    }

    @Test("of a megabyte are not parsed, whatever they contain")
    func huge() {
        let mega = 1 << 20
        for unit in ["a", "\"", "\\", ",", "a=b,", "a b,", "=", " ", "\\\"", "Basic realm=\"a\", "] {
            #expect(parse(String(repeating: unit, count: mega / unit.utf8.count)).isEmpty)
            #expect(parse("Basic realm=\"" + String(repeating: unit, count: mega / unit.utf8.count)).isEmpty)
        }
        let long = String(repeating: "x", count: 10_000)
        #expect(parse("Basic realm=\"\(long)\"").first?.realm == long)
    }

    @Test("are parsed up to a number, in one field or in many")
    func many() {
        let values = (0..<7_500).map { "Digest realm=r\($0), nonce=n" }
        for count in [1, 3, 20, 500] {
            let fields = stride(from: 0, to: values.count, by: count).map { start in
                values[start..<min(start + count, values.count)].joined(separator: ", ")
            }
            let challenges = Challenge.parse(fields)
            #expect(challenges.map(\.realm) == (0..<16).map { "r\($0)" }, "\(count) in each field")
        }
        #expect(Challenge.parse(["Basic realm=a, ,=", "Bearer"]).map(\.scheme) == ["bearer"])
    }

    @Test("of random bytes never trap")
    func random() {
        let alphabet = Array("ab =,\"\\\t;~\0é".unicodeScalars)
        for _ in 0..<20_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0..<24) { text.append(alphabet.randomElement() ?? "a") }
            for challenge in parse(String(text)) { #expect(!challenge.scheme.isEmpty) }
            _ = AuthenticationInfo(String(text))
        }
    }

    private func supported(_ values: String...) -> [SupportedChallenge] {
        var fields = HTTPFields()
        for value in values { fields.append(HTTPField(name: .wwwAuthenticate, value: value)) }
        return SupportedChallenge.all(in: ResponseHead(statusCode: 401, headers: fields))
    }

    @Test("are sorted by strength, and reduced to the strongest known algorithm, in any order")
    func strongest() {
        let digest = { (name: String) in #"Digest realm="r", nonce="\#(name)", qop="auth", algorithm=\#(name)"# }
        let names = ["MD5", "SHA-512-256-sess", "SHA-256", "SHA-512", "SHA-1024"]
        let values = names.map(digest)
        let one = supported(values.joined(separator: ", "))
        let many = supported(values[2], "Basic realm=r", values[0], "Bearer", values[4], values[1])
        #expect(one.map { $0.digest?.nonce } == ["SHA-512-256-sess"])
        #expect(many.map(\.scheme) == ["digest", "bearer", "basic"])
        #expect(many.first?.digest?.nonce == "SHA-512-256-sess")
        #expect(supported(values[3], values[4], "Negotiate", "NTLM abc").isEmpty)
        #expect(
            supported(values[0], values[2].replacing(#"realm="r""#, with: #"realm="s""#)).map(\.realm) == ["s", "r"]
        )
    }

    @Test("for Digest need a realm, a nonce, a known algorithm and a known qop")
    func digest() {
        func parsed(_ rest: String) -> DigestChallenge? { parse("Digest \(rest)").first.flatMap(DigestChallenge.init) }
        #expect(parsed(#"realm="r", nonce="n""#)?.protection == nil)
        #expect(parsed(#"realm="r", nonce="n", qop="auth-int""#)?.protection == .content)
        #expect(parsed(#"realm="r", nonce="n", qop="AUTH-INT , auth", stale=True"#)?.protection == .request)
        #expect(parsed(#"realm="r", nonce="n", stale="TRUE", userhash=true"#)?.isStale == true)
        #expect(parsed(#"realm="r", nonce="n", userhash=true"#)?.hashesUser == true)
        #expect(parsed(#"realm="r", nonce="n", algorithm="sha-256""#)?.algorithm.digest == .sha256)
        for rest in [
            #"realm="r""#, #"nonce="n""#, #"realm="r", nonce="n", qop="other""#, #"realm="r", nonce="n", qop="""#,
            #"realm="r", nonce="n", algorithm=MD5-sess"#, #"realm="r", nonce="n", algorithm=SHA-512"#,
        ] { #expect(parsed(rest) == nil, "\(rest)") }
    }

    @Test("are followed by Authentication-Info, which is parsed strictly")
    func information() {
        let information = AuthenticationInfo(#"rspauth="ab", qop=auth, nextnonce="n\"1""#)
        #expect(information?.serverResponse == "ab")
        #expect(information?.nextNonce == "n\"1")
        for value in [
            "", "nextnonce", "nextnonce=\"a", "a=1, a=2", "a=1, Basic b=2", String(repeating: "a", count: 1 << 20),
        ] {
            #expect(AuthenticationInfo(value) == nil)
        }
    }
}
