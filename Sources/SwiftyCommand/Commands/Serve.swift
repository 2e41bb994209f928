// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SwiftyTestServers
import SwiftyTesting

/// `swifty serve`: a server for experiments and tests, with httpbin's routes, mock files or recorded answers.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve httpbin's routes, mock files or recorded answers on 127.0.0.1, until Ctrl-C.",
        discussion: """
            Without --mocks and --replay, it serves httpbin's most used routes: /get, /post, /anything, /headers, /ip, \
            /status/404, /delay/2, /bytes/1000, /gzip, /json, /redirect/3, /basic-auth/user/pass, /bearer, /cookies, \
            /drip, /stream/10.

            With --mocks, a request is answered by the file that has the template of its path, and its method: \
            users/{user}/repos.GET.http. The answers of a file follow each other, and the last one stays. Latency, \
            rate and cut are those of the file; a failure resets the connection, "timedOut" is silence. The files may \
            be changed meanwhile; see Docs/Testing.md.

            With --replay, a request gets the next recorded answer to its method, path, query and content.

            A request without an answer gets status 404, and standard error has the reason.

            EXAMPLES:
              swifty serve --port 3000
              swifty :3000/anything name=Ada
              swifty serve --mocks Mocks/GitHub
              swifty serve --replay session.har
            """
    )

    @Option(help: ArgumentHelp("The port; a free one unless given.", valueName: "P"))
    var port: UInt16 = 0

    @Option(help: ArgumentHelp("Serve the mock files of a folder.", valueName: "FOLDER"), completion: .directory)
    var mocks: String?

    @Option(
        help: ArgumentHelp("Serve the answers of a file that --record has made, or of another HAR.", valueName: "FILE"),
        completion: .file(extensions: ["har"])
    )
    var replay: String?

    func validate() throws {
        if mocks != nil, replay != nil { throw ValidationError("Use only one of --mocks and --replay.") }
    }

    func run() async throws {
        let answers = try await PlainFailure.catching { try servedAnswers() }
        let server: LoopbackServer
        do {
            server = try Self.server(answers, port)
        } catch {
            Console.note("port \(port) cannot be opened: \(error)")
            throw ExitCode(ExitStatus.failure.rawValue)
        }
        try Console.write("\(server.url)\n")
        await withCheckedContinuation { continuation in
            Interruption.shared.onInterrupt { continuation.resume() }
        }
        await server.stop()
        throw ExitCode(ExitStatus.interrupted.rawValue)
    }

    /// What the server answers; `nil` for httpbin's routes.
    private func servedAnswers() throws -> (any ServedAnswers)? {
        if let mocks { return try ServedMocks(folder: mocks) }
        guard let replay else { return nil }
        let cassette = try ServedCassette(contentsOf: replay)
        if let note = cassette.skippingNote { Console.note(note) }
        return cassette
    }

    private static func server(_ answers: (any ServedAnswers)?, _ port: UInt16) throws -> LoopbackServer {
        guard let answers else { return try LoopbackServer(port: port) }
        return try LoopbackServer(answers, port: port) { Console.note($0) }
    }
}
