// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

// What the command prints about itself.

extension ServiceCommand {
    /// The requests with their parameters.
    var overview: String {
        let title = summary.isEmpty ? "" : "\(summary)\n\n"
        let list = requests.sorted { $0.name < $1.name }.map { "  \($0.usage)\n      \($0.summary)\n" }.joined()
        return """
            \(title)\(name) call REQUEST [--PARAMETER VALUE …] [<options>]

            \(list)
            \(name) call REQUEST --help explains a request and all options.

            """
    }

    /// The parameters of a request, and the options.
    func help(for request: ServiceRequest) -> String {
        let width = (request.parameters.map(\.words.count).max() ?? 0) + 2
        let lines = request.parameters.map { parameter in
            let space = parameter.help.isEmpty ? 0 : width - parameter.words.count
            return "  \(parameter.words)\(String(repeating: " ", count: space))\(parameter.help)\n"
        }
        let options = CallOptions.helpMessage().split(separator: "\n", omittingEmptySubsequences: false)
        let listed = options.drop { $0 != "OUTPUT:" && $0 != "OPTIONS:" }.joined(separator: "\n")
        return """
            \(request.summary)

            \(name) call \(request.usage)

            \(lines.joined())
            \(listed)

            """
    }
}
