// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The scripts of `--generate-completion-script`, extended to complete requests without the word `send`.
///
/// The parser's scripts offer the options of a default subcommand only after its name. So each script gets a few lines
/// at the beginning of its function, which insert the name unless another subcommand is named.
enum CompletionScript {
    /// The script that the arguments request; `nil` if they request something else.
    static func text(for arguments: [String]) -> String? {
        let option = "--generate-completion-script"
        guard let index = arguments.firstIndex(where: { $0 == option || $0.hasPrefix("\(option)=") }) else {
            return nil
        }
        let name =
            arguments[index] == option
            ? arguments[(index + 1)...].first : String(arguments[index].dropFirst(option.count + 1))
        guard let shell = name.map(CompletionShell.init(rawValue:)) ?? CompletionShell.autodetected() else {
            return nil
        }
        return text(for: shell)
    }

    static func text(for shell: CompletionShell) -> String {
        let script = SwiftyCommand.completionScript(for: shell)
        let (anchor, lines) = addition(for: shell)
        return script.replacing(anchor, with: "\(anchor)\(lines)", maxReplacements: 1)
    }

    /// The line after which the lines are inserted, and the lines.
    private static func addition(for shell: CompletionShell) -> (anchor: String, lines: String) {
        switch shell {
        case .bash: ("_swifty() {\n", bash)
        case .zsh: ("_swifty() {\n    emulate -RL zsh -G\n", zsh)
        default: ("    set -l unparsed_tokens (__swifty_tokens -pc)\n", fish)
        }
    }

    private static var bash: String {
        """
            # A request needs no "send".
            case "${COMP_WORDS[1]}" in
            \(SwiftyCommand.subcommandNames.joined(separator: "|"))) ;;
            *)
                if [[ "${COMP_CWORD}" -gt 1 || "${COMP_WORDS[1]}" = -* ]]; then
                    local -a with_send=("${COMP_WORDS[0]}" send "${COMP_WORDS[@]:1}")
                    local -a COMP_WORDS=("${with_send[@]}")
                    local -i COMP_CWORD="$((COMP_CWORD + 1))"
                fi
                ;;
            esac


        """
    }

    private static var zsh: String {
        """
            # A request needs no "send".
            case "${words[2]}" in
            (\(SwiftyCommand.subcommandNames.joined(separator: "|"))) ;;
            (*)
                if [[ "${CURRENT}" -gt 2 || "${words[2]}" = -* ]]; then
                    words=("${words[1]}" send "${(@)words[2,-1]}")
                    CURRENT="$((CURRENT + 1))"
                fi
                ;;
            esac


        """
    }

    private static var fish: String {
        """
            # A request needs no "send".
            if test (count $unparsed_tokens) -gt 1
                contains -- $unparsed_tokens[2] \(SwiftyCommand.subcommandNames.joined(separator: " "))
                or set unparsed_tokens $unparsed_tokens[1] send $unparsed_tokens[2..]
            else if string match -q -- '-*' (commandline -ct)
                set unparsed_tokens $unparsed_tokens[1] send
            end

        """
    }
}
