// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// Where a cassette is damaged, and what is wrong there.
struct CassetteFault {
    /// 1-based.
    let line: Int
    let reason: String

    /// - Parameters:
    ///   - error: The error of decoding the content.
    ///   - bytes: The content.
    init(_ error: any Error, in bytes: Data) {
        switch error {
        case DecodingError.keyNotFound(_, let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context):
            line = Self.line(of: context.codingPath, in: bytes)
            reason = Self.reason(error) ?? ""
        case DecodingError.dataCorrupted(let context):
            let fault = Self.syntaxFault(in: bytes)
            line = fault?.line ?? Self.line(of: context.codingPath, in: bytes)
            reason = fault?.reason ?? Redaction.oneLine(context.debugDescription)
        default: (line, reason) = (1, Redaction.oneLine("\(error)"))
        }
    }

    /// What is wrong with a member of valid JSON, and which one it is; `nil` for another error.
    static func reason(_ error: any Error) -> String? {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            "\(place(context.codingPath))\(key.stringValue) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(place(context.codingPath).dropLast()) has another type"
        default: nil
        }
    }

    /// The line at which the content stops being JSON, and Foundation's reason; `nil` if all of it is JSON.
    private static func syntaxFault(in bytes: Data) -> (line: Int, reason: String)? {
        do {
            _ = try JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed)
            return nil
        } catch {
            let text = (error as NSError).userInfo["NSDebugDescription"] as? String ?? "it is not JSON"
            return (line(in: text) ?? line(of: offset(in: text) ?? bytes.count, in: bytes), Redaction.oneLine(text))
        }
    }

    private static func line(in text: String) -> Int? {
        (try? #/around line (\d+)/#.firstMatch(in: text)).flatMap { Int($0.1) }
    }

    /// The offset in the content; without one, the content ends too early.
    private static func offset(in text: String) -> Int? {
        (try? #/around character (\d+)/#.firstMatch(in: text)).flatMap { Int($0.1) }
    }

    private static func line(of offset: Int, in bytes: Data) -> Int {
        1 + bytes.prefix(offset).count { $0 == .lineFeed }
    }

    /// The line on which a member of valid JSON begins; if it is not found, that of the value around it.
    private static func line(of path: [any CodingKey], in bytes: Data) -> Int {
        var (value, line) = (JSONText(bytes), 1)
        for key in path {
            let parts = value?.parts(fromLine: line) ?? []
            let found =
                if let index = key.intValue { parts.dropFirst(index).first } else {
                    parts.first { $0.name == key.stringValue }
                }
            guard let found else { break }
            (value, line) = (found.value, found.line)
        }
        return line
    }

    /// The path of a member, such as `log.entries[3].request.`.
    private static func place(_ path: [any CodingKey]) -> String {
        path.reduce("") { place, key in
            if let index = key.intValue { return "\(place.dropLast())[\(index)]." }
            return "\(place)\(key.stringValue)."
        }
    }
}
