// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SwiftyCommand

@Suite("The names of JSON fields", .timeLimit(.minutes(15)))
struct NestedJSONTests {
    private func json(_ items: [String]) throws -> String? {
        var planner = ContentPlanner()
        planner.isNumbered = true
        planner.read = { path in path == "a.json" ? Data("[1, 2]".utf8) : Data("text\n".utf8) }
        guard case .text(let text, _) = try planner.content(of: items.map { try RequestItem($0) }) else { return nil }
        return text
    }

    @Test(
        "build objects and arrays as HTTPie 3 does",
        arguments: [
            // Members.
            (["user[name]=Ada"], #"{"user":{"name":"Ada"}}"#),
            (["user[name]=Ada", "user[tags][]=x"], #"{"user":{"name":"Ada","tags":["x"]}}"#),
            (["a[b][c][d]:=1"], #"{"a":{"b":{"c":{"d":1}}}}"#),
            (["a[b]=1", "c=2", "a[d]=3"], #"{"a":{"b":"1","d":"3"},"c":"2"}"#),
            (["a=1", "a=2"], #"{"a":"2"}"#),
            (["a[b]=1", "a[b]=2"], #"{"a":{"b":"2"}}"#),
            (["a[b]=1", "a=2"], #"{"a":"2"}"#),
            (["a[b c]=1", "a[!]=2", "a[ü]=3"], #"{"a":{"b c":"1","!":"2","ü":"3"}}"#),
            (["a[b-1]=1", "a[1b]=2"], #"{"a":{"b-1":"1","1b":"2"}}"#),
            (["=x"], #"{"":"x"}"#),
            (["=x", "a[b]=1"], #"{"":"x","a":{"b":"1"}}"#),
            ([":=[1,2]"], #"{"":[1,2]}"#),
            ([":=[1,2]", "a=b"], #"{"":[1,2],"a":"b"}"#),
            (["007=x", "-1=y"], #"{"007":"x","-1":"y"}"#),
            (["5[a]=x"], #"{"5":{"a":"x"}}"#),
            // Elements.
            (["a[]=1"], #"{"a":["1"]}"#),
            (["a[]:=1", "a[]:=true", "a[]:=null", "a[]=x"], #"{"a":[1,true,null,"x"]}"#),
            (["a[0]=1"], #"{"a":["1"]}"#),
            (["a[1]=y", "a[0]=x"], #"{"a":["x","y"]}"#),
            (["a[2]:=1"], #"{"a":[null,null,1]}"#),
            (["a[]=x", "a[3]=y", "a[]=z"], #"{"a":["x",null,null,"y","z"]}"#),
            (["a[0]=x", "a[0]=y"], #"{"a":["y"]}"#),
            (["a[][]:=1", "a[][]:=2"], #"{"a":[[1],[2]]}"#),
            (["a[0][b]=1", "a[0][c]=2", "a[1][b]=3"], #"{"a":[{"b":"1","c":"2"},{"b":"3"}]}"#),
            (["a[][b]=1", "a[][b]=2"], #"{"a":[{"b":"1"},{"b":"2"}]}"#),
            (["a[+1]=x", "a[ 2 ]=y"], #"{"a":[null,"x","y"]}"#),
            (["a[1_0][]=x"], #"{"a":[null,null,null,null,null,null,null,null,null,null,["x"]]}"#),
            (["a[0]:=null", "a[0][b]=1"], #"{"a":[{"b":"1"}]}"#),
            // The whole is an array.
            (["[]:=1", "[]=x"], #"[1,"x"]"#),
            (["[2]:=1"], "[null,null,1]"),
            (["[][a]=1", "[0][b]=2", "[][]=3"], #"[{"a":"1","b":"2"},["3"]]"#),
            (["[0][a][]:=1", "[0][a][]:=2"], #"[{"a":[1,2]}]"#),
            // Escapes.
            ([#"a\[b\]=1"#], #"{"a[b]":"1"}"#),
            ([#"\[\]=1"#, #"\[0\]=2"#], #"{"[]":"1","[0]":"2"}"#),
            ([#"a[\[b\]]=1"#], #"{"a":{"[b]":"1"}}"#),
            ([#"a\\[b]=1"#], #"{"a\\":{"b":"1"}}"#),
            ([#"a[b\\]=1"#, #"a[b\c]=2"#], #"{"a":{"b\\":"1","b\\c":"2"}}"#),
            ([#"a[\1]=x"#, #"a[\\1]=y"#, #"a[\1b]=z"#], #"{"a":{"1":"x","\\1":"y","\\1b":"z"}}"#),
            ([#"\7[x]:=1"#, #"\\7=2"#], #"{"7":{"x":1},"\\7":"2"}"#),
            ([#"a[b\:c]=1"#, #"a[d\=\@]=2"#], #"{"a":{"b:c":"1","d=@":"2"}}"#),
            // JSON and files.
            (["a:=[1]", "a[]:=2", "a[0]:=3"], #"{"a":[3,2]}"#),
            ([#"a:={"b":{"c":1.10}}"#, "a[b][d]=x", "a[e]=y"], #"{"a":{"b":{"c":1.10,"d":"x"},"e":"y"}}"#),
            ([#"a:={"\u0062":1,"b":2}"#, "a[c]=3"], #"{"a":{"b":2,"c":"3"}}"#),
            (["a:={}", "a[b]=1", "c:=[]", "c[]=2"], #"{"a":{"b":"1"},"c":["2"]}"#),
            (["a[b]=@a.txt", "a[c]:=@a.json", "a[c][]:=3"], #"{"a":{"b":"text\n","c":[1,2,3]}}"#),
            (["a[n]:={n}", "a[t]=x{n}"], #"{"a":{"n":{n},"t":"x{n}"}}"#),
        ]
    )
    func nested(items: [String], text: String) throws {
        #expect(try json(items) == text)
    }

    @Test(
        "are errors with their place where they are incomplete or contradict an earlier one",
        arguments: [
            (["a[=1"], "needs a text, a number or \"]\" at its end", 2..<3),
            (["a[1=1"], "needs \"]\" at its end", 3..<4),
            (["a[b=1"], "needs \"]\" at its end", 3..<4),
            (["a[b][=1"], "needs a text, a number or \"]\" at its end", 5..<6),
            (["a[b]c=1"], "needs \"[\" here", 4..<5),
            (["a[0]cde[]=1"], "needs \"[\" here", 4..<7),
            (["a[b]]=1"], "needs \"[\" here", 4..<5),
            (["a]=1"], "needs \"[\" here", 1..<2),
            (["]=1"], "needs a text, a number or \"[\" here", 0..<1),
            (["[a]=1"], "needs a number or \"]\" here", 1..<2),
            (["[=1"], "needs a number or \"]\" at its end", 1..<2),
            (["a[[b]]=1"], "needs a text, a number or \"]\" here", 2..<3),
            ([#"a\[]=1"#], "needs \"[\" here", 3..<4),
            ([#"a[b\]=1"#], "needs \"]\" at its end", 5..<6),
            (["ok[a]=1", "a[12[]=1"], "needs \"]\" here", 4..<5),
            (["a=1", "a[b]=2"], "\"a\" is a string already", 1..<4),
            (["a:=1", "a[0]=2"], "\"a\" is a number already", 1..<4),
            (["a:=true", "a[]=2"], "\"a\" is a boolean already", 1..<3),
            (["a:=null", "a[b]=2"], "\"a\" is null already", 1..<4),
            (["a[b]=1", "a[0]=2"], "\"a\" is an object already", 1..<4),
            (["a[b]=1", "a[]=2"], "\"a\" is an object already", 1..<3),
            (["a[0]=1", "a[b]=2"], "\"a\" is an array already", 1..<4),
            (["a[b][c]=1", "a[b][0]=2"], "\"a[b]\" is an object already", 4..<7),
            (["a:=[[1]]", "a[0][b]=2"], "\"a[0]\" is an array already", 4..<7),
            (["a=1", "[]=2"], "the content is an object already", 0..<2),
            (["[]=1", "a=2"], "the content is an array already", 0..<1),
            (["a[-1]=1"], "has a negative index", 1..<5),
            (["a[1000000]=1"], "has an index above 999999", 1..<10),
            (["a[99999999999999999999]=1"], "has an index above 999999", 1..<23),
            ([#"a:={"b":{n}}"#, "a[c]=1"], "\"a\" is a value with {n} already", 1..<4),
            (["a" + String(repeating: "[]", count: 256) + "=1"], "has more than 256 parts", 511..<513),
        ]
    )
    func mistakes(items: [String], fact: String, place: Range<Int>) throws {
        let error = try #require(throws: UsageError.self) { try json(items) }
        #expect(error.message.contains(fact), "\(error.message)")
        #expect(error.place?.range == place)
    }

    @Test("are literal in forms")
    func forms() throws {
        let planner = ContentPlanner(mode: .form)
        let items = try ["user[name]=Ada", "tags[]=x"].map { try RequestItem($0) }
        let pairs = [RequestPlan.Pair(name: "user[name]", value: "Ada"), .init(name: "tags[]", value: "x")]
        #expect(try planner.content(of: items) == .form(pairs))
        #expect(throws: UsageError.self) { try planner.content(of: [RequestItem("=x")]) }
    }

    @Test("point at their mistake")
    func lines() {
        let place = UsageError.Place(text: "a[b]\u{1B}c", range: 5..<6)
        #expect(place.lines == "  a[b]\\u{1B}c\n            ^\n")
        #expect(UsageError.Place(text: "a[", range: 2..<3).lines == "  a[\n    ^\n")
    }
}
