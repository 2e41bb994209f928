// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty

/// The options of a load, the same for `send`, `bench` and `batch`.
struct RequestOptions {
    let content: ContentOptions
    let identity: IdentityOptions
    let limits: LimitOptions
    let tls: TLSOptions
    let route: RouteOptions
    let response: ResponseOptions
    let notes: NoteOptions
    let config: String?
}

/// A command that loads.
///
/// Each of them lists the groups itself: in a debug build, the parser checks the groups inside of a group five times
/// for each time that it checks the group.
protocol LoadingCommand: ParsableCommand {
    var content: ContentOptions { get }
    var identity: IdentityOptions { get }
    var limits: LimitOptions { get }
    var tls: TLSOptions { get }
    var route: RouteOptions { get }
    var response: ResponseOptions { get }
    var notes: NoteOptions { get }
    var configuration: ConfigOption { get }
}

extension LoadingCommand {
    var request: RequestOptions {
        RequestOptions(
            content: content,
            identity: identity,
            limits: limits,
            tls: tls,
            route: route,
            response: response,
            notes: notes,
            config: configuration.config
        )
    }
}

extension RequestOptions {
    /// The request that the arguments and options describe.
    ///
    /// - Parameter isNumbered: Whether the plan is for many requests, each with its number in place of `{n}`. Standard
    ///   input is then read into memory.
    func plan(for line: RequestLine, isNumbered: Bool = false) throws(UsageError) -> RequestPlan {
        let file = try configFile()
        let method = line.method ?? file?.method
        let data = try content.joinedData
        let hasOther = file?.content != nil
        let (use, input) = try content.input(for: line, method, hasOther: hasOther, isHeld: isNumbered, notes)
        var planner = ContentPlanner(mode: content.mode, data: data, input: input?.bytes, source: input?.source)
        planner.isLiteral = content.isLiteral
        planner.isNumbered = isNumbered
        let given = try planner.content(of: line.items)
        try content.check(given)
        try checkFields(line.items, method)
        let planned = given ?? file?.content
        var plan = RequestPlan(
            method: method ?? (content.uploadFile != nil ? "PUT" : planned == nil ? "GET" : "POST"),
            url: URLShorthand.complete(line.url, forUploadOf: content.uploadedFile),
            login: line.login,
            content: planned,
            allowsContent: content.allowContent,
            input: use
        )
        for item in line.items {
            switch item {
            case .header(let name, let value): plan.headers.append(.init(name: name, value: value))
            case .removal(let name): plan.removedHeaders.append(name)
            case .query(let name, let value): plan.query.append(.init(name: name, value: value))
            default: break
            }
        }
        for header in file?.headers ?? [] where !plan.hasHeader(header.name) && !plan.removesHeader(header.name) {
            plan.headers.append(header)
        }
        if content.json, !plan.hasHeader("Accept"), !plan.removesHeader("Accept") {
            plan.headers.append(.init(name: "Accept", value: "application/json"))
        }
        return plan
    }

    /// Rejects a field with a method that has no content: a query parameter was probably meant.
    private func checkFields(_ items: [RequestItem], _ method: String?) throws(UsageError) {
        guard let method, ["GET", "HEAD"].contains(method), !content.allowContent,
            let name = items.lazy.compactMap({ if case .text(let name, _) = $0 { name.text } else { nil } }).first
        else { return }
        throw UsageError(
            "\(name)=… is a field of the content, which \(method) does not have.",
            hint: "\(name)==… is a query parameter; --allow-content sends the content."
        )
    }

    /// The settings of the transport.
    ///
    /// - Parameter host: The host that host-bound TLS settings apply to.
    func transportSettings(host: String?) -> TransportSettings {
        var settings = TransportSettings()
        tls.apply(to: &settings.tls, host: host)
        settings.tls.reportsCertificates = identity.dumpCerts != nil
        route.apply(to: &settings)
        response.apply(to: &settings.responses)
        return settings
    }

    /// The configuration of the `Swifty`.
    ///
    /// - Parameters:
    ///   - session: The cookies and credentials that outlive a request; `nil` for none.
    ///   - isPaced: Whether the `Swifty` applies `--rate`.
    func configuration(
        session: Session? = nil,
        isPaced: Bool = true
    ) throws(UsageError) -> Swifty.Configuration {
        var configuration = Swifty.Configuration()
        let file = try configFile()
        let settings = file?.settings ?? ConfigSettings()
        for setting in settings.ignored(hasJar: session?.hasCookies == true) {
            notes.warn("the setting \(setting.name) has no effect", hint: "\(setting.reason)")
        }
        settings.apply(to: &configuration)
        limits.apply(to: &configuration)
        if isPaced { configuration.admission.rateLimit = limits.rateLimit }
        response.apply(to: &configuration)
        configuration.redirects = identity.redirects(default: settings.redirects ?? .none)
        session?.apply(to: &configuration)
        configuration.defaultHeaders = [.accept: "*/*", .userAgent: "swifty/\(SwiftyVersion.current)"]
        settings.applyFields(to: &configuration)
        return configuration
    }

    func makeResource(_ plan: RequestPlan, _ interface: any NetworkInterface) throws(UsageError) -> NetworkResource {
        let resource = plan.makeResource(interface)
        try identity.apply(to: resource, plan.login)
        limits.apply(to: resource)
        response.apply(to: resource)
        return resource
    }

    func configFile() throws(UsageError) -> ConfigFile? {
        guard let config else { return nil }
        return try ConfigFile(path: config)
    }
}

/// The file with the settings of a request.
struct ConfigOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take settings, header fields and content from a JSON file; see Docs/CLI-Curl.md.",
            valueName: "FILE"
        ),
        completion: .file()
    )
    var config: String?
}

/// The method as an option, as in curl.
struct MethodOption: ParsableArguments {
    @Option(
        name: [.customShort("X"), .customLong("request")],
        help: ArgumentHelp("The method, unless it is before the URL.", valueName: "METHOD")
    )
    var method: String?
}

/// The output on standard error apart from errors.
struct NoteOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "No warnings and no progress on standard error; errors stay.")
    var quiet = false

    @Flag(help: "Show the progress even if standard error is not a terminal.")
    var progress = false

    @Flag(name: [.customShort("S"), .customLong("show-error")], help: "With --quiet: warnings stay, too.")
    var showError = false

    /// Whether progress is shown: not with --quiet, and without --progress only on a terminal.
    var showsProgress: Bool { !quiet && (progress || Terminal.isError) }

    func validate() throws {
        if quiet, progress { throw ValidationError("Use only one of --quiet and --progress.") }
    }

    /// Writes a warning in one line.
    func warn(_ message: String, hint: String? = nil) {
        if !quiet || showError { Console.note(message, hint: hint) }
    }
}
