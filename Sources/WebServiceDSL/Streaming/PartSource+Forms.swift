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
        NetworkSequence { ElementReader(self, TextLines(limit: limit)) }
    }

    func byteLines(limit: Int) -> NetworkSequence<Data> {
        NetworkSequence { ElementReader(self, LineSplitter(limit: limit)) }
    }

    func jsonLines<Value: Decodable & Sendable>(_ decoder: JSONDecoder, limit: Int) -> NetworkSequence<Value> {
        NetworkSequence { ElementReader(self, JSONLineDecoder(decoder: decoder, limit: limit)) }
    }
}
