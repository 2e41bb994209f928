// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("The compiler", .serialized, .timeLimit(.minutes(15)))
struct MustNotCompileTests {
    private func diagnose(_ code: String) async throws -> String {
        try await Compiler.diagnose([
            "main.swift": """
            import Foundation
            import Swifty
            enum API: WebService {
                static let serverURL = "https://example.com"
                static let networkInterface: any NetworkInterface = Swifty.shared
            }
            let server = API.server
            \(code)
            """
        ])
    }

    @Test(
        "refuses content on a GET, HEAD or OPTIONS, with a remedy",
        arguments: [
            (
                #"_ = server.get("ip").json(["a": 1])"#,
                "'json' is unavailable: a GET, HEAD or OPTIONS request carries no content"
            ),
            (
                #"_ = server.get("ip").json(body: ["user": "name"])"#,
                "'json(body:options:)' is unavailable: a GET, HEAD or OPTIONS request carries no content"
            ),
            (
                #"_ = server.get("ip").data(Data())"#,
                "'data(_:contentType:)' is unavailable: a GET, HEAD or OPTIONS request carries no content"
            ),
            (#"_ = server.head("ip").query(["a": 1]).data(Data())"#, "carries no content"),
            (#"_ = server.options("ip").priority(.high).fields(["a": 1])"#, "use query(_:) for parameters"),
            (#"_ = server.get("ip").multipart(name: "a", value: "b")"#, "carries no content"),
            (#"_ = server.get("ip").multipart(name: "a", data: Data())"#, "carries no content"),
            (#"_ = server.get("ip").multipart(name: "a", file: "a")"#, "carries no content"),
            (#"_ = server.get("ip").text("a")"#, "carries no content"),
            (#"_ = server.get("ip").file("a")"#, "carries no content"),
            (#"_ = server.get("ip").stream { AsyncStream<Data> { $0.finish() } }"#, "carries no content"),
            (#"_ = server.get("ip").stream { writer in try await writer.write("a") }"#, "carries no content"),
            (#"_ = server.get("ip").multipart(name: "a", stream: { try await $0.write("a") })"#, "carries no content"),
            (
                #"_ = server.get("ip").multipart(name: "a", stream: { AsyncStream<Data> { $0.finish() } })"#,
                "carries no content"
            ),
            (#"_ = server.get("ip").json([1, 2])"#, "carries no content"),
            (#"_ = server.get("ip").json("a", encoder: JSONEncoder())"#, "carries no content"),
            (#"_ = server.get("ip").json(encodable: "a")"#, "carries no content"),
            (#"_ = server.get("ip").jsonArray(array: [1])"#, "carries no content"),
        ]
    )
    func bodies(code: String, message: String) async throws {
        let diagnosis = try await diagnose(code)
        #expect(diagnosis.contains("error:"), "\(diagnosis)")
        #expect(diagnosis.contains(message), "\(diagnosis)")
    }

    @Test("refuses an optional as a path variable, with a remedy")
    func optionalVariables() async throws {
        let diagnosis = try await diagnose(
            """
            let id: Int? = 1
            _ = server.get("users/{id}", ["id": id])
            """
        )
        #expect(diagnosis.contains("error:"), "\(diagnosis)")
        #expect(diagnosis.contains("unwrap the optional first"), "\(diagnosis)")
    }

    @Test(
        "refuses an optional in a literal path, with a remedy",
        arguments: [
            #"let id: Int? = 1; _ = server.get("users/\(id)")"#,
            #"let id: Int? = 1; _ = server.get("a/\(id, as: "id")")"#,
            #"let id: String? = "a"; _ = server.post("a/{b}/\(id)", ["b": 1])"#,
            #"enum E: Int { case a }; let e: E? = .a; _ = server.get("\(e)")"#,
        ]
    )
    func optionalValues(code: String) async throws {
        let diagnosis = try await diagnose(code)
        #expect(diagnosis.contains("error:"), "\(diagnosis)")
        #expect(diagnosis.contains("unwrap the optional first"), "\(diagnosis)")
    }

    @Test(
        "warns of a value in a literal path that has no text",
        arguments: [
            #"final class User {}; _ = server.get("users/\(User())")"#, #"_ = server.get("users/\(["a", "b"])")"#,
            #"_ = server.get("users/\(URL(string: "a")!, as: "url")")"#,
            #"_ = server.get("\([1: 2])/{a}", ["a": 1])"#,
            #"let url: URL? = nil; _ = server.request("GET", "\(url, default: "a")")"#,
        ]
    )
    func valuesWithoutText(code: String) async throws {
        let diagnosis = try await diagnose(code)
        #expect(diagnosis.contains("a value in a path is a PathVariable"), "\(diagnosis)")
    }

    @Test("takes a literal path with every kind of value without a warning")
    func literalPaths() async throws {
        let diagnosis = try await diagnose(
            """
            enum Order: String { case newest }
            let (name, id, path) = ("a", UUID(), "a/b")
            _ = server.get("users/\\(name)/\\(id)/\\(Order.newest)/v\\(2).json?page=\\(3)")
            _ = server.post("users/\\(name, as: "user")").json(["a": 1])
            _ = server.get("files/\\(raw: path)")
            _ = server.get(path)
            _ = server.get("users/{user}", ["user": name])
            _ = server.get("users/{user}/\\(name)", ["user": name])
            """
        )
        #expect(diagnosis == "")
    }

    @Test("takes optionals and enums in queries without a warning")
    func queryValues() async throws {
        let diagnosis = try await diagnose(
            """
            enum Order: String { case newest }
            let page: Int? = nil
            let parameters: [String: Any] = ["a": 1]
            _ = server.get("x").query(["order": Order.newest, "page": page, "all": true]).query(parameters)
            _ = server.post("x").fields(["page": page, "order": Order.newest])
            """
        )
        #expect(diagnosis == "")
    }

    @Test("accepts content after any modifier of a POST, PUT, PATCH or DELETE")
    func accepted() async throws {
        let diagnosis = try await diagnose(
            """
            _ = server.post("x").priority(.high).query(["a": 1]).header("A", "b").tag("t").json(["a": 1])
            _ = server.put("x").mock(file: "a.json").fields(["a": 1])
            _ = server.patch("x").timeout(.seconds(1)).text("a")
            _ = server.delete("x").validate(status: .any).data(Data())
            """
        )
        #expect(diagnosis == "")
    }

    /// All settings of a transport, and a transport that has none of them.
    private static let settings = """
        var settings = TransportSettings()
        settings.tls.trust = .file("a.pem")
        settings.tls.identity = .pkcs12(file: "a.p12", password: "")
        settings.tls.minimumVersion = .v1_3
        settings.tls.pins = ["a.test": .publicKeys([])]
        settings.tls.unverifiedHosts = ["a.test"]
        settings.tls.reportsCertificates = true
        settings.proxy = .fromEnvironment
        settings.addresses.overrides = [HostAndPort(host: "a.test", port: 80): ["127.0.0.1"]]
        settings.addresses.unixSocketPath = "/s"
        settings.addresses.localInterface = "lo"
        settings.addresses.family = .ipv4
        settings.addresses.deniesPrivateNetworks = true
        settings.connections.version = .http2
        settings.connections.maximumIdleTime = .zero
        settings.connections.maximumAge = .zero
        settings.connections.expectContinueThreshold = nil
        settings.responses.strictness = .lenient
        settings.responses.contentLimit = 1
        settings.responses.headLimit = 1
        settings.responses.fieldCountLimit = 1
        settings.responses.trailerLimit = 1
        settings.responses.informationalLimit = 1
        struct Own: Transport {
            func send(
                _: NetworkRequest, cancellation _: LoadCancellation
            ) async throws(SwiftyError) -> TransportResponse {
                TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
            }
            func shutdown() async {}
        }

        """

    @Test("accepts settings of a transport, or a transport")
    func settingsOrTransport() async throws {
        let code = """
            _ = [Swifty(), Swifty(transport: settings), Swifty(configuration: .init(), transport: Own())]
            _ = Swifty(transport: settings) { $0.retry = .standard }
            _ = Swifty(transport: Own()) { $0.retry = .standard }
            """
        #expect(try await diagnose(Self.settings + code) == "")
    }

    @Test(
        "refuses settings beside a transport, which would ignore them",
        arguments: [
            (
                "_ = Swifty(transport: settings, transport: Own())",
                "incorrect argument label in call (have 'transport:transport:', expected 'transport:configure:')"
            ),
            (
                "_ = Swifty(transport: Own()) { $0.transport = settings }",
                "value of type 'Swifty.Configuration' has no member 'transport'"
            ),
            (
                "var configuration = Swifty.Configuration()\nconfiguration.transport = settings",
                "value of type 'Swifty.Configuration' has no member 'transport'"
            ),
        ]
    )
    func ignoredSettings(attempt: String, message: String) async throws {
        let diagnosis = try await diagnose(Self.settings + attempt)
        #expect(diagnosis.contains("error:"), "\(diagnosis)")
        #expect(diagnosis.contains(message), "\(diagnosis)")
    }

    @Test(
        "says what is written in place of a common mistake",
        arguments: [
            (#"_ = server.get("ip").timeout(5)"#, "'timeout' is unavailable: a time limit has a unit"),
            (#"let seconds = 0.5; _ = server.get("ip").timeout(seconds)"#, "a time limit has a unit"),
            (#"_ = server.get("ip").decode(String.self).timeout(5)"#, "a time limit has a unit"),
            (
                #"_ = try await server.get("ip").decode(String.self).load(String.self)"#,
                "the type is that of decode(_:)"
            ),
            (#"_ = server.post("ip").decode(String.self).json(["a": 1])"#, "set the content before decode(_:)"),
            (#"_ = server.get("ip").validate(status: 404)"#, "name all statuses that count as success"),
            (#"_ = server.get(URL(string: "https://a.test")!)"#, "a path is joined to the server's URL"),
            (#"_ = server.post(URL(string: "https://a.test")!)"#, "start requests to another URL with server(_:)"),
            ("_ = SwiftyError(.timedOut, stage: .queue).code == 404", "a code is no number: compare statusCode"),
            ("struct Text {}; _ = Swifty { $0.use(Text()) }", "a hook is a value, not an optional, of a type that"),
            ("struct Text {}; _ = Swifty { $0.use([Text()]) }", "a hook is a value, not an optional, of a type that"),
            (#"_ = Swifty { $0.use { $0.header("A", "b") } }"#, "a closure is no hook"),
            (
                "_ = Swifty { $0.retry = .none; $0.use { print($0); return $0 } }",
                "use a type that conforms to RequestInterceptor"
            ),
            ("_ = Swifty(constraints: [SignIn()])", "register hooks of every kind with use(_:)"),
            ("_ = Swifty(constraints: [Constraint(), SignIn()])", "register hooks of every kind with use(_:)"),
        ]
    )
    func remedies(code: String, message: String) async throws {
        let diagnosis = try await diagnose(Self.signIn + code)
        #expect(diagnosis.contains("error:"), "\(diagnosis)")
        #expect(diagnosis.contains(message), "\(diagnosis)")
    }

    @Test("takes what is similar to these mistakes and correct")
    func similar() async throws {
        let code = """
            let (limit, path) = (Duration.seconds(1), "a")
            _ = server.get("x").timeout(.seconds(5)).timeout(limit * 2).timeout(total: .seconds(1)).timeout(.zero)
            _ = server.get("x").validate(status: 200..<300).validate(status: [200, 404]).validate(status: .any)
            _ = [server.get(), server.get(path), server.get("users/\\(path)"), server.get(path, ["a": 1])]
            let error = SwiftyError(.timedOut, stage: .queue)
            _ = error.code == .timedOut && error.code != .cancelled && [.timedOut].contains(error.code)
            _ = error.statusCode == 404
            let (hooks, constraints): ([any Swifty.Hook], [Constraint]) = ([SignIn()], [Constraint()])
            _ = Swifty { $0.use(SignIn(), Constraint()); $0.use(hooks); $0.use(constraints); $0.use([]); $0.use() }
            _ = Swifty { $0.use(SignIn()) }
            _ = [Swifty(constraints: []), Swifty(constraints: constraints), Swifty(requestInterceptors: [])]
            do { try await server.get().load() } catch .timedOut {} catch SwiftyError.Code.cancelled {} catch {}
            """
        #expect(try await diagnose(Self.signIn + code) == "")
    }

    private static let signIn = """
        struct SignIn: AsyncConstraint {
            func isSatisfied(for resource: NetworkResource) async -> Bool { true }
            func satisfy(for resource: NetworkResource) async throws {}
        }

        """

    @Test("refuses hooks that could race")
    func sendable() async throws {
        let diagnosis = try await diagnose(
            """
            final class Counting: RequestInterceptor {
                var count = 0
                func intercept(resource: NetworkResource) -> NetworkResource { resource }
            }
            """
        )
        #expect(diagnosis.contains("error:"), "\(diagnosis)")
    }
}
