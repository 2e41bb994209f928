// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The sequences of a resource and of an open response.
extension PartSource {
    var chunks: NetworkSequence<Data> {
        NetworkSequence { PartReader(self) }
    }

    var bytes: NetworkSequence<UInt8> {
        NetworkSequence { ByteReader(self) }
    }

    func lines(limit: Int) -> NetworkSequence<String> {
        NetworkSequence { LineReader(ElementReader(self, TextLines(limit: limit))) }
    }

    func byteLines(limit: Int) -> NetworkSequence<Data> {
        NetworkSequence { ByteLineReader(ElementReader(self, LineSplitter(limit: limit))) }
    }

    func jsonLines<Value: Decodable & Sendable>(
        _ format: JSONFormat,
        at place: ContentPlace?,
        limit: Int
    ) -> NetworkSequence<Value> {
        NetworkSequence { ElementReader(self, JSONLineDecoder(format, at: place, limit: limit)) }
    }
}

// Readers without type parameters. The compiler specializes the generic reader only where it knows its type, and a
// sequence calls its reader as a protocol: there, a line of bytes would cost three times as much.

private final class LineReader: BatchReader {
    private let reader: ElementReader<TextLines>

    init(_ reader: ElementReader<TextLines>) {
        self.reader = reader
    }

    nonisolated(nonsending) func nextBatch() async throws(SwiftyError) -> [String] {
        try await reader.nextBatch()
    }
}

private final class ByteLineReader: BatchReader {
    private let reader: ElementReader<LineSplitter<Data>>

    init(_ reader: ElementReader<LineSplitter<Data>>) {
        self.reader = reader
    }

    nonisolated(nonsending) func nextBatch() async throws(SwiftyError) -> [Data] {
        try await reader.nextBatch()
    }
}
