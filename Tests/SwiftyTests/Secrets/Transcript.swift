// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Swifty
import Synchronization

/// Everything that a program could print: descriptions, dumps, errors as `NSError`, log lines, events.
final class Transcript: Swifty.Observer {
    private let lines = Mutex<[String]>([])

    /// The end of what precedes the text, in each entry that contains it.
    func places(of text: String) -> [String] {
        lines.withLock { lines in
            lines.compactMap { line in line.firstRange(of: text).map { String(line[..<$0.lowerBound].suffix(40)) } }
        }
    }

    /// All entries.
    var all: String { lines.withLock { $0.joined(separator: "\n") } }

    /// The lines with a byte that could end or forge a line of a log.
    var brokenLines: [String] {
        lines.withLock { $0.filter { $0.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" } } }
    }

    private let counts = Mutex((logLines: 0, events: 0))

    var logLineCount: Int { counts.withLock { $0.logLines } }
    var eventCount: Int { counts.withLock { $0.events } }

    func addLogLine(_ text: String) {
        counts.withLock { $0.logLines += 1 }
        add(text)
    }

    func add(_ text: String) {
        lines.withLock { $0.append(text) }
    }

    /// Adds every textual form of a value.
    func print(_ value: Any) {
        var dumped = ""
        dump(value, to: &dumped)
        add(dumped)
        add(String(describing: value))
        add(String(reflecting: value))
        if let error = value as? any Error { print(error as NSError) }
    }

    private func print(_ error: NSError) {
        add(error.localizedDescription)
        add(error.description)
        add(String(describing: error.userInfo))
    }

    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        counts.withLock { $0.events += 1 }
        print(event)
        print(load)
        print(load.draft)
    }
}

/// Writes log lines into a transcript.
struct TranscriptLog: LogHandler {
    let transcript: Transcript
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    init(_ transcript: Transcript) {
        self.transcript = transcript
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        transcript.addLogLine("\(event.level) \(event.message) \(metadata) \(event.metadata ?? [:])")
    }
}
