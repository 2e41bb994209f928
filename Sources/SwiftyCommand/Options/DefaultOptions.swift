// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The defaults file: options that come before those of each `swifty URL`, as with HTTPie.
///
///     {"defaultOptions": ["--follow", "--timeout=30"]}
///
/// Options of the command line win, because the last of two equal options counts; of options that exclude one another,
/// the default is left out. `--no-defaults` leaves all of them out.
struct DefaultOptions {
    private static let flag = "--no-defaults"

    /// Options that exclude one another.
    private static let groups: [Set<String>] = [
        ["--form", "-f", "--multipart", "--json", "-j"],
        ["--follow", "--no-follow", "-L", "--location"],
        ["--session", "--session-read-only", "--no-session", "--cookies"],
        ["--quiet", "-q", "-s", "--silent", "--progress"],
        ["--strict", "--lenient"], ["--proxy", "-x", "--proxy-env"], ["-4", "--ipv4", "-6", "--ipv6"],
    ]

    /// First arguments that do not begin a request, and those that print something and end.
    private static let others: Set<String> = [
        "--help", "-h", "--version", "-V", "--generate-completion-script", "--experimental-dump-help",
    ]

    /// The arguments with the options of the file, if they are those of a request.
    static func complete(_ arguments: [String], folder: String) throws(UsageError) -> [String] {
        let isNamed = arguments.first == "send"
        guard let first = arguments.first, isNamed || !SwiftyCommand.subcommandNames.contains(first),
            !arguments.contains(where: others.contains), !first.hasPrefix("---")
        else { return arguments }
        let given = arguments.prefix { $0 != "--" }
        if given.contains(flag) {
            var rest = arguments
            rest.removeAll { $0 == flag }
            return rest
        }
        let defaults = try options(inFile: "\(folder)/config.json").filter { !isReplaced($0, by: given) }
            // Without fields, the option is a mistake if typed, but not as a default.
            .map { ["--form", "-f"].contains($0) ? "--form-by-default" : $0 }
        return (isNamed ? ["send"] : []) + defaults + arguments.dropFirst(isNamed ? 1 : 0)
    }

    /// The options of the file; none without a file.
    private static func options(inFile path: String) throws(UsageError) -> [String] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            Set(object.keys).isSubset(of: ["defaultOptions"]), let options = object["defaultOptions"] as? [String]
        else {
            throw UsageError("The file \(path) cannot be used.", hint: "Write {\"defaultOptions\": [\"--follow\"]}.")
        }
        // The separate value of an option would not be left out together with it.
        if let other = options.first(where: { !$0.hasPrefix("-") || $0 == "-" || $0 == "--" }) {
            throw UsageError("The default \"\(other)\" in \(path) is not an option.", hint: "Write --name=value.")
        }
        return options
    }

    private static func isReplaced(_ option: String, by arguments: some Sequence<String>) -> Bool {
        guard let group = groups.first(where: { $0.contains(name(option)) }) else { return false }
        return arguments.contains { group.contains(name($0)) }
    }

    private static func name(_ option: String) -> String { String(option.prefix { $0 != "=" }) }
}
