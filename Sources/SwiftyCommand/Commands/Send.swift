// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty
import SwiftyCurl
import Synchronization

/// `swifty [METHOD] URL [ITEM…]`: one request.
struct Send: AsyncParsableCommand, LoadingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send one request and print the response (the default).",
        usage: "swifty send [METHOD] URL [ITEM ...] [<options>]",
        discussion: """
            The method is GET, or POST with content. ":3000/path" means http://localhost:3000/path; a URL \
            without a scheme means https.

            ITEMS:
              Name:value       a header field
              Name:            no header field of this name, not even the default one
              Name;            a header field with an empty value
              name==value      a query parameter
              name=text        a text field of the content
              name:=json       a JSON field: a number, true, null, [1,2], {"a":1}
              a[b]=x a[c][]=y  nested JSON: {"a":{"b":"x","c":["y"]}}
              name@file        a file to upload (multipart)
              name=@file       a text field with a file's text
              name:=@file      a JSON field with a file's JSON
              -                the content comes from standard input
            A pipe or a file on standard input is the content, unless there is other content or a method without \
            content; --ignore-stdin leaves it unread, as loops in scripts may need. \
            A backslash before a separator makes it part of the name: 'a\\:b=c'.

            -o and -d save only the content of a success, when it is complete; what arrived of an interrupted download \
            is kept beside the file, and -C continues it. Files, and pipes that are large or slow, are sent while they \
            are read.

            On a terminal, head and content are printed, in colours and with indented JSON; in a pipe, the content \
            unchanged (of HEAD the head).

            FROM CURL AND HTTPIE:
              -X METHOD, -H 'Name: value', -L, -k, -u USER:PASS, -i, -I, -s, -O, -C -, -T FILE, -N, --data, \
            --json DATA, --user-agent, --referer, --max-time, -x PROXY, --cacert, --compressed, -j, -p, --offline and \
            others work as there; the error for an option that means something else here names the right one.

            EXAMPLES:
              swifty https://example.com/get q==swift page==2 Accept:application/json
              swifty PUT :3000/users/7 name=Ada tags:='["a","b"]'
              swifty --multipart :3000/photos title=Sun photo@sun.jpg
              swifty -v -a ada:secret https://example.com/private
              echo '{"a":1}' | swifty :3000/items
              swifty -C -o disk.iso --limit-rate 2M https://example.com/disk.iso
              swifty --stream https://example.com/events
              swifty -T disk.iso https://example.com/images/
              swifty --retry 3 --timeout 10 --check-status https://example.com/health
              swifty --dry-run POST :3000/users name=Ada
              swifty --save-mock Mocks/user.http https://example.com/users/7
            """
    )

    @Argument(help: ArgumentHelp("[METHOD] URL [ITEM…]", valueName: "request"))
    var arguments: [String] = []

    @OptionGroup var method: MethodOption
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Results") var results: ResultOptions
    @OptionGroup(title: "Recording") var recording: RecordingOptions
    @OptionGroup(title: "Session") var shared: SessionOptions
    @OptionGroup(title: "Content") var content: ContentOptions
    @OptionGroup(title: "Credentials, cookies and redirects") var identity: IdentityOptions
    @OptionGroup(title: "Time limits, retries and rates") var limits: LimitOptions
    @OptionGroup(title: "TLS") var tls: TLSOptions
    @OptionGroup(title: "Route") var route: RouteOptions
    @OptionGroup(title: "Response") var response: ResponseOptions
    @OptionGroup var notes: NoteOptions
    @OptionGroup var configuration: ConfigOption

    func run() async throws {
        var plan = try request.plan(for: RequestLine(arguments, method: method.method))
        guard let named = try shared.named(folder: ConfigurationFolder.path()) else { return try await run(plan, nil) }
        // The session stores what the arguments say, not what it adds itself.
        let (given, identity) = (plan, identity)
        var command = self
        named.apply(to: &plan, &command.identity)
        try await command.run(plan, named) { try named.save(given, identity) }
    }

    private func run(
        _ plan: RequestPlan,
        _ named: NamedSession?,
        saving save: @escaping () throws -> Void = {}
    ) async throws {
        let interruption = Interruption.shared
        let watched = output.verbose ? watchedTransport(plan) : nil
        let presenter = Presenter(plan: plan, output: output, results: results, notes: request.notes, watched: watched)
        try recording.check(results)
        if results.curl { return try printCommand(plan) }
        if !results.dryRun { try named?.prepare() }
        let session = try Session(request.identity, for: plan, named: named)
        if results.dryRun { return try await presenter.showRequest(dryRun(plan, session)) }
        var delivery: Delivery?
        var failure: (any Error)?
        do {
            let transfer = try transfer(plan, session: session, watched: watched, presenter: presenter)
            try await recording.cassette.run {
                let result = try await transfer.run()
                delivery = result
                // Before the file is written: a full disk must not hide the response.
                try await presenter.present(result)
            }
        } catch {
            failure = error
        }
        try OutputError.runAll([
            { if let failure { throw failure } },
            { try finish(delivery, plan: plan, presenter: presenter) },
            { if let delivery { try recording.saveMock(delivery) } },
            { try session.end() },
            { if delivery?.outcome.head != nil { try save() } },
        ])
        if interruption.wasInterrupted { throw ExitCode(ExitStatus.interrupted.rawValue) }
        if let status = delivery.flatMap({ results.status(of: $0.outcome) }) { throw ExitCode(status.rawValue) }
    }

    private func finish(_ delivery: Delivery?, plan: RequestPlan, presenter: Presenter) throws(OutputError) {
        guard let delivery else {
            presenter.progress?.finish()
            return
        }
        // Ctrl-C is the usual way to end a stream.
        if !(Interruption.shared.wasInterrupted && delivery.isPrinted) { presenter.explain(delivery) }
        request.content.warnIfUnread(plan.input, request.notes)
        try request.identity.certificateFolder?.write(delivery.outcome, request.notes)
    }

    private func transfer(
        _ plan: RequestPlan,
        session: Session,
        watched: WatchedTransport?,
        presenter: Presenter
    ) throws -> Transfer {
        var configuration = try request.configuration(session: session)
        let recorder = RequestRecorder()
        configuration.use(recorder)
        let interface =
            if let watched {
                Swifty(configuration: configuration, transport: watched)
            } else {
                Swifty(configuration: configuration, transport: transportSettings(plan))
            }
        let resource = try request.makeResource(plan, interface)
        presenter.progress?.watch(resource)
        return Transfer(
            interface: interface,
            resource: resource,
            recorder: recorder,
            results: results,
            presenter: presenter,
            byteLimit: request.response.maxBody?.value
        )
    }

    /// The settings of the transport, which reports TLS if that is printed.
    private func transportSettings(_ plan: RequestPlan) -> TransportSettings {
        var settings = request.transportSettings(host: plan.target?.host)
        let isShown = output.verbose || output.meta || output.print?.meta == true || results.format == .json
        let isSecure = plan.target?.scheme == .https || request.identity.follow == true
        if isShown, isSecure { settings.tls.reportsCertificates = true }
        return settings
    }

    private func watchedTransport(_ plan: RequestPlan) -> WatchedTransport {
        let settings = transportSettings(plan)
        if settings == TransportSettings() { return WatchedTransport(CurlTransport.shared) }
        var configuration = CurlTransport.Configuration()
        configuration.settings = settings
        return WatchedTransport(CurlTransport(configuration: configuration))
    }

    /// The request as it would be sent, made by the pipeline itself.
    private func dryRun(_ plan: RequestPlan, _ session: Session) async throws -> NetworkRequest {
        let transport = DryRunTransport()
        let configuration = try request.configuration(session: session)
        let interface = Swifty(configuration: configuration, transport: transport)
        let resource = try request.makeResource(plan, interface)
        let response = await interface.load(resource.draft, cancellation: LoadCancellation())
        if let error = response.error { throw error }
        guard let request = transport.request else { throw UsageError("A mocked request is not sent.") }
        return await request.withShownContent()
    }

    private func printCommand(_ plan: RequestPlan) throws {
        let resource = try request.makeResource(plan, Swifty.shared)
        if let error = resource.draft.creationError { throw error }
        let command = resource.cURLDescription(includingSecrets: output.showSecrets)
        let words = CURLOptionWords.words(for: request, plan, showsSecrets: output.showSecrets)
        try Console.write(([command] + words).joined(separator: " ") + "\n")
    }
}

/// Records the request that would have been sent, and responds with an empty 200.
final class DryRunTransport: Transport {
    private let last = Mutex<NetworkRequest?>(nil)

    /// The last request that would have been sent.
    var request: NetworkRequest? { last.withLock { $0 } }

    func send(
        _ request: NetworkRequest,
        cancellation _: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        last.withLock { $0 = request }
        return TransportResponse(head: ResponseHead(statusCode: 200), content: Data(), metrics: TransferMetrics())
    }

    func shutdown() async {}
}
