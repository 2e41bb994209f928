// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The parts that are printed, and their format.
struct OutputOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print the request, too: --print HhBb. Secrets are hidden.")
    var verbose = false

    @Flag(name: [.customShort("H"), .customLong("headers-only")], help: "Print only the response's head: --print h.")
    var headersOnly = false

    @Flag(name: .shortAndLong, help: "Print only the response's content: --print b.")
    var body = false

    @Flag(name: .shortAndLong, help: "Print the timings, too: --print hbm.")
    var meta = false

    @Option(
        help: ArgumentHelp(
            "What to print: H and B for the request's head and content, h and b for the response's, m for timings.",
            valueName: "HhBbm"
        )
    )
    var print: PrintedParts?

    @Option(
        help: ArgumentHelp(
            "Colours and formatting (all on a terminal, else none).",
            valueName: "all|colors|format|none"
        )
    )
    var pretty: Pretty?

    @Option(help: ArgumentHelp("When to use colours; NO_COLOR means never.", valueName: "auto|always|never"))
    var color: ColorChoice = .auto

    @Flag(help: "Show secrets that --verbose, --curl and --dry-run hide.")
    var showSecrets = false
}

/// The letters of `--print`.
struct PrintedParts: ExpressibleByArgument, Equatable {
    var requestHead = false
    var requestContent = false
    var head = false
    var content = false
    var meta = false

    init() {}

    init?(argument: String) {
        for letter in argument {
            switch letter {
            case "H": requestHead = true
            case "B": requestContent = true
            case "h": head = true
            case "b": content = true
            case "m": meta = true
            default: return nil
            }
        }
    }
}

enum Pretty: String, ExpressibleByArgument, CaseIterable {
    case all
    case colors
    case format
    case none
}

enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
}

extension OutputOptions {
    /// The parts that the options select; the default depends on whether standard output is a terminal.
    ///
    /// - Parameter method: The request's method. For HEAD, the response's head is printed even to a pipe.
    func parts(isTerminal: Bool, method: String = "GET") -> PrintedParts {
        if let print { return print }
        var parts = PrintedParts()
        parts.requestHead = verbose
        parts.requestContent = verbose
        parts.head = verbose || headersOnly || !body && (isTerminal || meta || method == "HEAD")
        parts.content = verbose || !headersOnly
        parts.meta = meta
        return parts
    }

    /// Whether JSON is indented.
    func isFormatting(isTerminal: Bool) -> Bool {
        switch pretty {
        case .all, .format: true
        case .colors, .some(.none): false
        case nil: isTerminal
        }
    }

    /// The colours; `nil` for none.
    func style(isTerminal: Bool, environment: [String: String]) -> Style? {
        switch (color, pretty) {
        case (.never, _), (_, .format), (_, .some(.none)): return nil
        case (.always, _): return Style()
        case (.auto, .all), (.auto, .colors): return environment["NO_COLOR"]?.isEmpty ?? true ? Style() : nil
        case (.auto, nil):
            let isWanted = environment["NO_COLOR"]?.isEmpty ?? true && environment["TERM"] != "dumb"
            return isTerminal && isWanted ? Style() : nil
        }
    }
}
