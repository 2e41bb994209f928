// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty

/// `swifty [METHOD] URL`: one request from the terminal.
@main
struct SwiftyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swifty",
        abstract: "Send one HTTP request and print the response's content.",
        discussion: """
            EXAMPLES:
              swifty https://example.com/ip
              swifty POST https://example.com/post -H "X-Id: 1" --data '{"a": 1}' --content-type application/json
              swifty HEAD https://example.com --verbose

            Exit status: 0 for any answer, 1 for another error, 2 for a time-out, 7 if no connection could be made, \
            64 for wrong usage.
            """
    )

    @Argument(help: "The method (GET unless given) and the URL.")
    var target: [String]

    @Option(name: [.customShort("H"), .long], help: "A header field, \"Name: value\". May be repeated.")
    var header: [String] = []

    @Option(name: .shortAndLong, help: "The content, as text, or @FILE.")
    var data: String?

    @Option(help: "The content's media type.")
    var contentType: String?

    @Option(help: "Seconds for the whole call.")
    var timeout: Double?

    @Flag(name: .shortAndLong, help: "Print the request, the response's head and the timings to stderr.")
    var verbose = false

    mutating func validate() throws {
        guard (1...2).contains(target.count) else { throw ValidationError("Give a URL, or a method and a URL.") }
        if let timeout, !(timeout > 0) { throw ValidationError("--timeout takes a number of seconds above zero.") }
    }

    func run() async throws {
        let resource = try makeResource()
        if verbose { printError("> \(resource.cURLDescription)") }
        do throws(SwiftyError) {
            let response = try await resource.load()
            if verbose { printError(describe(response)) }
            FileHandle.standardOutput.write(response.data ?? Data())
        } catch {
            printError("swifty: \(error)")
            throw ExitCode(exitStatus(of: error))
        }
    }

    private func makeResource() throws -> NetworkResourceWithBody {
        let method = target.count == 2 ? target[0].uppercased() : data == nil ? "GET" : "POST"
        let base = BaseResource(target[target.count - 1], networkInterface: Swifty.shared)
        let resource = base.request(method).validate(status: .any)
        for field in header {
            guard let colon = field.firstIndex(of: ":") else {
                throw ValidationError("The header \"\(field)\" has no colon.")
            }
            resource.addHeader(key: String(field[..<colon]), value: String(field[colon...].dropFirst()))
        }
        if let timeout { resource.timeout(.seconds(timeout)) }
        if let data { addBody(data, to: resource) }
        if let contentType { resource.contentType(contentType) }
        return resource
    }

    private func addBody(_ data: String, to resource: NetworkResourceWithBody) {
        if data.hasPrefix("@") {
            resource.file(String(data.dropFirst()))
        } else {
            resource.text(data)
        }
    }

    private func describe(_ response: NetworkResponse) -> String {
        guard let head = response.response else { return "< no head" }
        var lines = ["< HTTP/\(head.httpVersion.rawValue) \(head.statusCode) \(head.reasonPhrase)"]
        lines += head.headers.map { "< \($0.name.rawName): \($0.value)" }
        if let transfer = response.metrics.transfer {
            lines.append("* \(transfer.remoteAddress):\(transfer.remotePort), total \(response.metrics.total)")
        }
        return lines.joined(separator: "\n")
    }

    private func exitStatus(of error: SwiftyError) -> Int32 {
        switch error.code {
        case .timedOut: 2
        case .nameResolutionFailed, .connectionFailed, .tlsFailed, .certificateInvalid: 7
        case .invalidBaseURL, .invalidURL, .invalidHeader, .invalidMethod, .bodyNotAllowed, .bodyUnreadable: 64
        default: 1
        }
    }

    private func printError(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
