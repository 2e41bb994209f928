// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// The options for the content of a request.
struct ContentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The whole content: text, or the content of a file. Several are joined with &, as fields of a form.",
            valueName: "TEXT|@FILE"
        )
    )
    var data: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("The same as --data, but text even if it begins with @.", valueName: "TEXT")
    )
    var dataRaw: [String] = []

    @Option(
        name: [.customShort("T"), .long],
        help: ArgumentHelp(
            "The whole content: a file, or standard input with \"-\". The method is PUT unless named.",
            valueName: "FILE"
        ),
        completion: .file()
    )
    var uploadFile: String?

    @Flag(help: "Send the fields as a form (application/x-www-form-urlencoded; with files as multipart/form-data).")
    var form = false

    @Flag(help: ArgumentHelp("As --form, if there are fields: from the defaults file.", visibility: .hidden))
    var formByDefault = false

    @Flag(help: "Send the fields, and files, as multipart/form-data.")
    var multipart = false

    @Flag(name: .shortAndLong, help: "Send the fields as JSON (the default), and ask for JSON.")
    var json = false

    @Flag(help: "Send content with GET and OPTIONS, too, as some searches demand.")
    var allowContent = false

    @Flag(help: "Never read standard input, even if it is a pipe or a file.")
    var ignoreStdin = false

    func validate() throws {
        if [form, multipart, json].count(where: \.self) > 1 {
            throw ValidationError("Use only one of --form, --multipart and --json.")
        }
    }

    var mode: ContentPlanner.Mode? {
        if formByDefault, !definesWhole { return .form }
        return form ? .form : multipart ? .multipart : json ? .json : nil
    }

    var definesContent: Bool { definesWhole || mode != nil }

    /// Whether an option contains the whole content.
    private var definesWhole: Bool { !data.isEmpty || !dataRaw.isEmpty || uploadFile != nil }

    /// Whether an option names standard input.
    private var namesInput: Bool { data == ["@-"] && dataRaw.isEmpty || ["-", "."].contains(uploadFile) }

    /// The file of `--upload-file`; `nil` for standard input.
    var uploadedFile: String? { namesInput ? nil : uploadFile }
}

extension ContentOptions {
    /// The value of `--data` or `--upload-file`: one text or file, or joined fields of a form; `nil` for standard
    /// input.
    var joinedData: String? {
        get throws(UsageError) {
            let data = data + dataRaw
            if uploadFile != nil, !data.isEmpty {
                throw UsageError("The content is given twice.", hint: "Use only one of --data and --upload-file.")
            }
            if namesInput { return nil }
            if let uploadFile { return "@\(uploadFile)" }
            guard data.count > 1 else { return data.first }
            let joined = data.joined(separator: "&")
            if self.data.contains(where: { $0.hasPrefix("@") }) || !FormText.isForm(joined) {
                throw UsageError("--data is given twice.", hint: "Only fields of a form, like a=1, are joined.")
            }
            return joined
        }
    }

    /// Whether the value of ``joinedData`` is text even if it begins with `@`.
    var isLiteral: Bool { data.isEmpty && uploadFile == nil }

    /// Rejects options that would have no effect.
    ///
    /// - Parameter content: The content of the items, `--data` or standard input; `nil` for none.
    func check(_ content: PlannedContent?) throws(UsageError) {
        guard content == nil, form || multipart else { return }
        throw UsageError(
            "\(form ? "--form" : "--multipart") has no fields to send.",
            hint: "Write field=value; curl's -f is --check-status here."
        )
    }
}

extension ContentOptions {
    /// Methods without content, unless it is explicitly requested.
    private static let methodsWithout: Set<String> = ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"]

    /// Standard input, if it is the content: requested by `-`, or a pipe or a file while there is no other content.
    ///
    /// Empty standard input is not content, so that of `cron` and similar programs changes nothing. A file that another
    /// program reads is left unread.
    ///
    /// - Parameters:
    ///   - method: The method that was named, if any.
    ///   - hasOther: Whether there is content apart from the items and options.
    ///   - isHeld: Whether all of it is read into memory, for more than one request.
    func input(
        for line: RequestLine,
        _ method: String?,
        hasOther: Bool,
        isHeld: Bool,
        _ notes: NoteOptions
    ) throws(UsageError) -> (use: InputUse, content: StandardInput.Content?) {
        if line.readsInput || namesInput {
            if ignoreStdin { throw UsageError("\"-\" and --ignore-stdin contradict each other.") }
            return (.asked, try Self.read(isHeld, notes))
        }
        let isWanted =
            !hasOther && !definesWhole && !line.items.contains(where: \.isContent)
            && !(method.map(Self.methodsWithout.contains) ?? false)
        switch ignoreStdin ? .none : StandardInput.source {
        case .content where isWanted:
            let content = try Self.read(isHeld, notes)
            return content.bytes.isEmpty ? (.none, nil) : (.implied, content)
        case .content, .socket: return (.unread, nil)
        case .begunFile: return (isWanted && method != nil ? .unread : .none, nil)
        case .none: return (.none, nil)
        }
    }

    private static func read(_ isHeld: Bool, _ notes: NoteOptions) throws(UsageError) -> StandardInput.Content {
        let warn = {
            notes.warn("waiting for standard input, which is sent as the content", hint: "--ignore-stdin sends none.")
        }
        if isHeld { return .init(bytes: try StandardInput.read(onWait: warn)) }
        return try StandardInput.begin(onWait: warn)
    }

    /// Warns if standard input has bytes that were not sent.
    func warnIfUnread(_ use: InputUse, _ notes: NoteOptions) {
        guard use == .unread, StandardInput.hasUnread else { return }
        notes.warn("standard input was not sent", hint: "\"-\" sends it; --ignore-stdin leaves it unread.")
    }
}
