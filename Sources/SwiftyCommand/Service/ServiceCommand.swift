// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Swifty

/// A program that makes the requests of a service by their names.
///
///     @main
///     struct Tool {
///         static func main() async {
///             let command = ServiceCommand("github", summary: "Requests of GitHub.") {
///                 $0.add("repositories", "The repositories of a user.", with: .required("user"), .optional("page")) {
///                     GitHub.repositories(of: $0, page: $1)
///                 }
///             }
///             await command.run()
///         }
///     }
///
///     $ github call repositories --user apple
///
/// The closure's parameters have the types that it uses: ``ServiceArgument``, optional ones, and arrays. `call` prints
/// the response as `swifty` does, with the options `-v`, `-H`, `-b`, `-m`, `--print`, `--pretty`, `--color`, `--output
/// json`, `--check-status`, `--dry-run` and `-q`. Without a name it lists the requests.
///
/// Exit statuses are those of `swifty`: 64 for wrong usage, see `Docs/CLI-Output.md`.
public struct ServiceCommand: Sendable {
    let name: String
    let summary: String
    private(set) var requests: [ServiceRequest] = []

    /// Makes a command.
    ///
    /// - Parameters:
    ///   - name: The name of the program.
    ///   - summary: What it is for, in one line.
    ///   - requests: Adds the requests.
    public init(_ name: String, summary: String = "", requests: (inout ServiceCommand) -> Void) {
        (self.name, self.summary) = (name, summary)
        requests(&self)
    }

    /// Adds a request. Of two with one name, the later one counts.
    ///
    /// - Parameters:
    ///   - name: The name in the command line.
    ///   - summary: What it does, in one line.
    ///   - parameters: The parameters, in the order of the closure's.
    ///   - request: Makes the request. What it throws is shown as wrong usage.
    public mutating func add<each Value: Sendable>(
        _ name: String,
        _ summary: String,
        with parameters: repeat ServiceParameter<each Value>,
        request: @escaping @Sendable (repeat each Value) throws -> NetworkResource
    ) {
        add(name, summary, of: repeat each parameters) { (values: repeat each Value) in
            ServiceResource(try request(repeat each values))
        }
    }

    /// Adds a request with a typed response, whose decoding `call` checks. Of two with one name, the later one counts.
    ///
    /// - Parameters:
    ///   - name: The name in the command line.
    ///   - summary: What it does, in one line.
    ///   - parameters: The parameters, in the order of the closure's.
    ///   - request: Makes the request. What it throws is shown as wrong usage.
    public mutating func add<each Value: Sendable, Response: Sendable>(
        _ name: String,
        _ summary: String,
        with parameters: repeat ServiceParameter<each Value>,
        request: @escaping @Sendable (repeat each Value) throws -> TypedResource<Response>
    ) {
        add(name, summary, of: repeat each parameters) { (values: repeat each Value) in
            ServiceResource(try request(repeat each values))
        }
    }

    private mutating func add<each Value: Sendable>(
        _ name: String,
        _ summary: String,
        of parameters: repeat ServiceParameter<each Value>,
        make: @escaping @Sendable (repeat each Value) throws -> ServiceResource
    ) {
        var forms: [ParameterForm] = []
        for parameter in repeat each parameters { forms.append(parameter.form) }
        let request = ServiceRequest(name: name, summary: summary, parameters: forms) { words in
            try make(repeat (each parameters).read(words[(each parameters).form.name] ?? []))
        }
        requests.removeAll { $0.name == name }
        requests.append(request)
    }

    /// Runs the command, and ends the process.
    ///
    /// - Parameter arguments: The words after the name of the program.
    public nonisolated(nonsending) func run(
        _ arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) async -> Never {
        // Before any hop, which would open descriptors that a closed standard stream would get.
        Console.prepareProcess(name: name)
        exit(await status(of: arguments).rawValue)
    }

    private func status(of arguments: [String]) async -> ExitStatus {
        do {
            return try await perform(arguments)
        } catch let error as SwiftyError {
            // The hints are those of the command, which has other options.
            Console.note(error.descriptionWithoutHint)
            return ExitStatus(of: error)
        } catch {
            return ErrorReport.write(error) ?? .failure
        }
    }

    private func perform(_ arguments: [String]) async throws -> ExitStatus {
        let first = arguments.first ?? "help"
        if ["help", "--help", "-h"].contains(first) || arguments == ["call"] {
            try Console.write(overview)
            return .success
        }
        guard first == "call" else {
            throw UsageError("There is no subcommand \"\(first)\".", hint: "\(name) call lists the requests.")
        }
        if Self.asksForHelp(arguments[1]) {
            try Console.write(overview)
            return .success
        }
        let request = try request(named: arguments[1])
        if arguments.dropFirst(2).contains(where: Self.asksForHelp) {
            try Console.write(help(for: request))
            return .success
        }
        return try await ServiceCall(request, Array(arguments.dropFirst(2))).run()
    }

    private static func asksForHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }

    func request(named word: String) throws(UsageError) -> ServiceRequest {
        if let request = requests.first(where: { $0.name == word }) { return request }
        let near = Misspelling.nearest(to: word, among: requests.map(\.name))
        throw UsageError(
            "There is no request \"\(word)\".",
            hint: near.map { "Did you mean \($0)?" } ?? "\(name) call lists the requests."
        )
    }
}
