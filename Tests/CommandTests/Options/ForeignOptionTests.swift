// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

@testable import SwiftyCommand

@Suite("An option of curl or HTTPie", .timeLimit(.minutes(15)))
struct ForeignOptionTests {
    private func translate(_ arguments: String) throws -> [String] {
        try ArgumentTranslation.translate(ShellWords(arguments).words)
    }

    @Test(
        "is translated to an option of this command",
        arguments: [
            ("-X PUT :1", "-X PUT :1"), ("-XPUT :1", "-X PUT :1"), ("-sXPUT :1", "--quiet -X PUT :1"),
            ("--request PUT :1", "--request PUT :1"), ("-L :1", "--follow :1"), ("--location :1", "--follow :1"),
            ("-k :1", "--verify=no :1"), ("--insecure :1", "--verify=no :1"), ("-u a:b :1", "--auth=a:b :1"),
            ("-ua:b :1", "--auth=a:b :1"), ("--user=a:b :1", "--auth=a:b :1"), ("-f :1 a=1", "--form :1 a=1"),
            ("-fsSL :1", "--check-status --quiet -S --follow :1"), ("-fL :1", "--check-status --follow :1"),
            ("--fail :1", "--check-status :1"), ("--fail-with-body :1", "--check-status :1"),
            ("-j :1 a=1", "-j :1 a=1"),
            ("-jv :1", "-j -v :1"), ("--output out.html :1", "-o out.html :1"), ("--output=a/b :1", "-o a/b :1"),
            ("--output - :1", "-o - :1"), ("--output json :1", "--output json :1"), ("-so out :1", "--quiet -o out :1"),
            ("-oout :1", "-o out :1"), ("-H 'X: 1' :1", ":1 'X: 1'"), ("'-HX: 1' :1", ":1 'X: 1'"),
            ("-HX:1 :1", ":1 'X: 1'"), ("-sH 'X: 1' :1", "--quiet :1 'X: 1'"), ("-H 'X;' :1", ":1 'X;'"),
            ("--header X:1 :1", ":1 'X: 1'"), ("--header 'X:=1' :1", ":1 'X: =1'"),
            ("-H 'X: a\\b' :1", ":1 'X: a\\\\b'"),
            ("-H :1", "-H :1"), ("-H https://a.test", "-H https://a.test"), ("-H localhost:80/x", "-H localhost:80/x"),
            ("-H localhost:80", "-H localhost:80"), ("-H a:=1", "-H a:=1"), ("-I :1", "--request=HEAD :1"),
            ("--head :1", "--request=HEAD :1"), ("-i :1", "--print=hb :1"), ("-iL :1", "--print=hb --follow :1"),
            ("-s :1", "--quiet :1"), ("--silent :1", "--quiet :1"), ("-q :1", "-q :1"), ("-S :1", "-S :1"),
            ("-OJ :1", "--download --download :1"), ("-N :1", "--stream :1"), ("--no-buffer :1", "--stream :1"),
            ("--stream :1", "--stream :1"), ("-C - -o f :1", "--continue -o f :1"), ("-C -o f :1", "-C -o f :1"),
            ("-OC- :1", "--download --continue :1"), ("--continue-at - -o f :1", "--continue -o f :1"),
            ("-dC :1", "-d -C :1"), ("-T f :1", "-T f :1"), ("-Tf :1", "-T f :1"), ("-T - :1", "-T - :1"),
            ("--upload-file f :1", "--upload-file f :1"), ("--limit-rate 2M :1", "--limit-rate 2M :1"),
            ("--compressed :1", ":1"), ("-g :1", ":1"), ("-# :1", ":1"),
            ("--json '{\"a\":1}' :1", "--json '--data={\"a\":1}' :1"), ("--json=1 :1", "--json --data=1 :1"),
            ("--json @f :1", "--json --data=@f :1"), ("--json :1", "--json :1"), ("--json [::1]:80", "--json [::1]:80"),
            ("--data a=1 :1", "--data a=1 :1"), ("--data-raw x :1", "--data-raw x :1"),
            ("--raw -x :1", "--data-raw=-x :1"),
            ("--data-binary @f :1", "--data=@f :1"), ("--data-urlencode 'a=b c' :1", "--data=a=b%20c :1"),
            ("--user-agent x :1", ":1 'User-Agent: x'"), ("-e x :1", ":1 'Referer: x'"),
            ("-r 0-9 :1", ":1 'Range: bytes=0-9'"),
            ("--cookie a=1 :1", ":1 'Cookie: a=1'"), ("--url-query a:b=c :1", ":1 'a\\:b==c'"),
            ("--url :1 a=1", ":1 a=1"),
            ("--oauth2-bearer t :1", "--auth=t --auth-type=bearer :1"),
            ("-u a:b --digest :1", "--auth=a:b --auth-type=digest :1"),
            ("--max-time 5 :1", "--timeout=5 :1"), ("-L --max-redirs 5 :1", "--follow --max-redirects=5 :1"),
            ("--max-filesize 5M :1", "--max-body=5M :1"), ("--cacert f :1", "--ca=f :1"), ("-E f :1", "--cert=f :1"),
            ("--key f :1", "--cert-key=f :1"), ("-x h:1 :1", "--proxy=h:1 :1"),
            ("--socks5 h :1", "--proxy=socks5://h :1"),
            ("--pinnedpubkey 'a;b' :1", "--pin=a --pin=b :1"), ("--tlsv1.2 :1", "--tls-min=1.2 :1"),
            ("--http1.1 :1", "--http=1.1 :1"), ("--http2 :1", "--http=2 :1"), ("--verify=no :1", "--verify=no :1"),
            ("--verify false :1", "--verify false :1"), ("-p Hh :1", "--print=Hh :1"), ("--offline :1", "--dry-run :1"),
            ("--headers :1", "--headers-only :1"), ("--follow :1", "--follow :1"), ("--form :1 a=1", "--form :1 a=1"),
            ("-a u:p :1", "-a u:p :1"), ("-A digest :1", "-A digest :1"), ("--auth u:p :1", "--auth u:p :1"),
            ("-d :1", "-d :1"), ("-d example.com?a=1", "-d example.com?a=1"), ("-b :1 a=1", "-b :1 a=1"),
            ("-m :1", "-m :1"), ("-verify no :1", "-verify no :1"), ("-- -L", "-- -L"), ("-V", "--version"),
            ("bench -c 4 -n 3 -H 'X: 1' -d a=1 :1", "bench -c 4 -n 3 --data=a=1 :1 'X: 1'"),
            ("batch -c 4 -k f", "batch -c 4 --verify=no f"), ("import curl -L :1", "import curl -L :1"),
        ]
    )
    func translation(typed: String, own: String) throws {
        #expect(try translate(typed) == ShellWords(own).words)
    }

    @Test(
        "is rejected with a suggestion if it means something else here",
        arguments: [
            ("-F a=1 :1", "--multipart"), ("-F :1", "--follow"), ("-d a=1 :1", "--data 'a=1'"),
            ("-d '{\"a\":1}' :1", "--data"),
            ("-d @f :1", "--data"), ("-b a=1 :1", "Cookie:a=1"), ("-m 5 :1", "--timeout 5"),
            ("-H Accept:text/html :1", "without -H"), ("-G :1", "name==value"),
            ("-w x :1", "--output json"), ("-D f :1", "-H"), ("-c f :1", "--cookies"), ("--cookie f :1", "--cookies f"),
            ("-n :1", "--auth"), ("-U a:b :1", "--proxy"), ("-K f", "--config"),
            ("--connect-to a :1", "--resolve"), ("--output jsn :1", "-o jsn"), ("--verify ca.pem :1", "--ca ca.pem"),
            ("--ssl tls1.2 :1", "--tls-min"), ("--style x :1", "--pretty"), ("--http3 :1", "--http"),
            ("--default-scheme https :1", "a URL with its scheme"), ("-1 :1", "--tls-min"),
            ("--noproxy x :1", "--proxy-env"), ("--location-trusted :1", "--follow"),
            ("--form-string a=1 :1", "--multipart"), ("--netrc :1", "--auth"), ("--anyauth :1", "--auth-type"),
            ("--retry-delay 1 :1", "--timeout"), ("--capath d :1", "--ca"), ("-C 100 :1", "Range:bytes=100-"),
            ("--continue-at 100 :1", "Range:bytes=100-"), ("-Z :1", "batch"),
        ]
    )
    func refusal(typed: String, meant: String) throws {
        let error = #expect(throws: UsageError.self) { try translate(typed) }
        let hint = try #require(error?.hint)
        #expect(hint.hasPrefix("Did you mean "), "\(hint)")
        #expect(hint.contains(meant), "\(hint)")
    }

    @Test(
        "is an error if it is used wrongly",
        arguments: [
            "-u a :1", "--header X :1", "--header", "-u", "--location=x :1",
            "--url-query x :1", "--data-urlencode @x :1", "batch -H 'X: 1' f",
        ]
    )
    func errors(typed: String) {
        #expect(throws: UsageError.self) { try translate(typed) }
    }

    /// Options of curl that have the same name here, so that no table lists them.
    private static let working: Set<String> = [
        "basic", "cacert", "cert", "compressed", "connect-timeout", "data", "data-ascii", "data-binary", "data-raw",
        "data-urlencode", "digest", "disable", "fail", "fail-with-body", "globoff", "head", "header", "help", "http1.1",
        "http2", "include", "insecure", "interface", "ipv4", "ipv6", "json", "key", "location", "max-filesize",
        "max-redirs", "max-time", "no-progress-meter", "oauth2-bearer", "output", "pinnedpubkey", "progress-bar",
        "proxy",
        "range", "referer", "remote-header-name", "remote-name", "request", "resolve", "retry", "retry-all-errors",
        "retry-connrefused", "show-error", "silent", "socks5", "socks5-hostname", "tlsv1.2", "tlsv1.3", "unix-socket",
        "url", "url-query", "user", "user-agent", "verbose", "version", "cookie", "rate", "config", "continue-at",
        "limit-rate", "no-buffer", "upload-file",
    ]

    /// The error of a command before its request would be sent; `nil` for a valid command.
    private func usageError(_ typed: [String]) -> String? {
        do {
            let own = try ArgumentTranslation.translate(typed)
            let command = try SwiftyCommand.parseAsRoot(OptionalValue.complete(own))
            if let send = command as? Send { _ = try RequestLine(send.arguments, method: send.method.method) }
            return nil
        } catch let error as UsageError {
            return "\(error.message) \(error.hint ?? "")"
        } catch {
            return SwiftyCommand.exitCode(for: error).rawValue == 0 ? nil : SwiftyCommand.message(for: error)
        }
    }

    @Test("works, is rejected with a suggestion, or is unknown: every option of the installed curl")
    func everyOption() async throws {
        let help = SwiftyCommand.helpMessage(for: Send.self, columns: 1000)
        let own = Set(help.matches(of: #/--[a-z0-9.-]+/#).map { String($0.output) })
        let needed = [
            "max-redirs": ["-L"], "key": ["--cert", "c"], "continue-at": ["-o", "f"], "basic": ["-u", "a:b"],
            "digest": ["-u", "a:b"],
        ]
        for option in try await CURLHelp.options() {
            let name = "--\(option.name)"
            // The parser rejects the others, like every unknown option.
            guard ForeignOptions.byName[name] != nil || own.contains(name) else {
                #expect(!Self.working.contains(option.name), "\(name)")
                continue
            }
            let value = option.takesValue ? [CURLHelp.sample(option.name)] : []
            let retry = option.name.hasPrefix("retry-") ? ["--retry", "1"] : []
            let url = option.name == "url" ? [] : ["http://a.test/"]
            let error = usageError([name] + value + (needed[option.name] ?? []) + retry + url)
            #expect((error == nil) == Self.working.contains(option.name), "\(name): \(error ?? "works")")
        }
        #expect(usageError(["--nothing", ":1"])?.contains("Unknown option") == true)
    }

    @Test(
        "of HTTPie works, is rejected with a suggestion, or is unknown",
        arguments: [
            "--json", "-j", "--form", "-f", "--multipart", "--boundary x", "--raw x", "--compress", "-x h:1",
            "--pretty all",
            "--style auto", "--unsorted", "--sorted", "--response-charset utf8", "--response-mime text/plain",
            "--format-options x", "--print Hh", "-p Hh", "--headers", "--meta", "-m", "--body", "-b", "--verbose", "-v",
            "--all", "--history-print h", "-P h", "--stream", "--output f.html", "-o f", "--download", "-d",
            "--continue -o f",
            "--quiet", "-q", "-qq", "--session s", "--session-read-only s", "--auth u:p", "-a u:p",
            "--auth u:p -A basic",
            "--auth u:p --auth-type digest", "--ignore-netrc", "--offline", "--proxy http://h:1", "--follow", "-F",
            "--follow --max-redirects 3", "--max-headers 9", "--timeout 3", "--check-status", "--path-as-is",
            "--chunked",
            "--verify no", "--verify=no", "--verify yes", "--ssl tls1.2", "--ciphers x", "--cert c",
            "--cert c --cert-key k",
            "--ignore-stdin", "--help", "--version", "--traceback", "--default-scheme http", "--debug", "--no-follow",
        ]
    )
    func httpie(options: String) throws {
        let typed = options.split(separator: " ").map(String.init) + ["http://a.test/"]
        guard let error = usageError(typed) else { return }
        #expect(error.contains("Did you mean") || error.contains("Unknown option"), "\(error)")
    }

    @Test(
        "sends what curl sends",
        arguments: [
            "-X PUT URL", "-L URL", "-k URL", "-u a:b URL", "URL -H 'X: 1'", "-H 'X: 1' URL", "-X POST -H 'X;' URL",
            "--json '{\"a\":1}' URL", "--data a=1 --data b=2 URL", "--data-urlencode 'a=ü &' URL", "-A x URL",
            "--user-agent x URL", "-e http://b.test/ URL", "-r 0-9 URL", "--cookie a=1 URL", "-XDELETE URL",
            "-fsSL URL", "-T FILE URL", "-T FILE URL/", "-T FILE -X POST URL", "-N URL", "--limit-rate 9M URL",
            "--data-binary @- URL < FILE", "--oauth2-bearer t URL", "--compressed URL", "--data-raw '@'x URL", "-I URL",
            "--url-query 'a=b c' URL",
        ]
    )
    func likeCURL(arguments: String) async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        let file = try folder.file("up load.bin", Data("content".utf8))
        let text = arguments.replacing("URL", with: "\(server.url)/anything").replacing("FILE", with: "'\(file.path)'")
        let curl = try await Program.run("/bin/sh", ["-c", "curl -s --max-time 20 \(text) > /dev/null"])
        let path = "PATH='\(Program.products.path)':$PATH"
        let swifty = try await Program.run("/bin/sh", ["-c", "\(path) swifty \(text) > /dev/null"])
        if arguments.hasPrefix("-A ") { return #expect(swifty.status == 64, "\(swifty.errors)") }
        #expect(curl.status == 0, "\(curl.errors)\(swifty.errors)")
        #expect(swifty.status == 0, "\(curl.errors)\(swifty.errors)")
        let requests = server.log.requests
        try #require(requests.count == 2)
        // A blank in a form or a query is "+" in one and "%20" in the other.
        let plain = { (text: String) in text.replacing("%20", with: "+") }
        let bodies = requests.map { plain(String(decoding: $0.content, as: UTF8.self)) }
        #expect(requests[0].method == requests[1].method)
        #expect(plain(requests[0].target) == plain(requests[1].target))
        #expect(bodies[0] == bodies[1])
        for name in ["X", "Authorization", "Content-Type", "Referer", "Range", "Cookie"] {
            // curl names no media type for a file, and that of a form for any text.
            if name == "Content-Type", arguments.contains("FILE") || arguments.contains("'@'") { continue }
            #expect(requests[0][name] == requests[1][name], "\(name)")
        }
        if arguments.contains("user-agent") { #expect(requests[1]["User-Agent"] == "x") }
    }

    @Test("has an error that shows the correct form")
    func notices() async throws {
        let cases: [([String], String)] = [
            (["-f", ":1"], "--check-status"), (["a=1", ":1"], "is not a URL"), (["X: 1", ":1"], "is not a URL"),
            ([":1", "https://a.test"], "second URL"), (["-X", "PUT", "POST", ":1"], "two methods"),
            (["--multipart", ":1", "--data", "x"], "--multipart"), (["--data", "x", "--data", "y", ":1"], "twice"),
            (["bench", "--nothing", ":1"], "swifty bench --help"), (["--nothing", ":1"], "swifty send --help"),
            (["batch", "--data", "x", "f"], "batch"), (["batch", "--json", "f"], "batch"),
        ]
        for (arguments, words) in cases {
            let run = try await Program.run("swifty", arguments)
            #expect(run.status == 64, "\(arguments): \(run.errors)")
            #expect(run.errors.contains(words), "\(arguments): \(run.errors)")
        }
    }
}
