// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The path of an item's value in the JSON content, written as in HTTPie 3: `user[name]`, `tags[]`, `a[0]`, `[]`.
///
///     path: step step*
///     step: [text] | [number] | []      the first one also without brackets: text
///
/// A backslash makes `[`, `]` and `\` part of a name, and a number in brackets a name (`a[\1]`).
struct FieldPath: Equatable {
    enum Step: Equatable {
        /// The member of an object.
        case key(String)
        /// The element of an array, counted from zero.
        case index(Int)
        /// A new element at the end of an array.
        case append
    }

    struct PlacedStep: Equatable {
        let step: Step
        let range: Range<Int>
    }

    let text: String
    /// At least one.
    let steps: [PlacedStep]

    /// More brackets than any real content has; each adds a call to the stack.
    private static let maximumDepth = 256

    /// - Throws: ``UsageError`` with the place of the mistake.
    init(_ text: String) throws(UsageError) {
        var parser = FieldPathParser(text)
        self.text = text
        steps = try parser.parse()
        if steps.count > Self.maximumDepth {
            throw error("has more than \(Self.maximumDepth) parts", at: steps[Self.maximumDepth].range)
        }
    }

    func error(_ fact: String, at range: Range<Int>, hint: String? = nil) -> UsageError {
        UsageError("The field \"\(text)\" \(fact).", hint: hint, place: .init(text: text, range: range))
    }

    /// The text of the first steps.
    func prefix(_ count: Int) -> String {
        count == 0 ? "" : String(Array(text)[..<steps[count - 1].range.upperBound])
    }
}

/// Parses a path from its tokens.
private struct FieldPathParser {
    private let text: String
    private let tokens: [FieldPathToken]
    private var position = 0

    init(_ text: String) {
        self.text = text
        tokens = FieldPathToken.all(in: text)
    }

    mutating func parse() throws(UsageError) -> [FieldPath.PlacedStep] {
        if tokens.isEmpty { return [.init(step: .key(""), range: 0..<0)] }
        var steps = [try first()]
        while position < tokens.count { steps.append(try bracket(isFirst: false)) }
        return steps
    }

    private mutating func first() throws(UsageError) -> FieldPath.PlacedStep {
        switch tokens[0].kind {
        case .text(let name):
            position = 1
            return .init(step: .key(name), range: tokens[0].range)
        // Without brackets, a number is a name with all its digits.
        case .number:
            position = 1
            return .init(step: .key(String(Array(text)[tokens[0].range])), range: tokens[0].range)
        case .opening: return try bracket(isFirst: true)
        case .closing: throw expected("a text, a number or \"[\"")
        }
    }

    /// Parses `[text]`, `[number]` or `[]`. The first step of a path has no text in brackets.
    private mutating func bracket(isFirst: Bool) throws(UsageError) -> FieldPath.PlacedStep {
        guard let opening = next(), case .opening = opening.kind else { throw expected("\"[\"", behind: true) }
        let step: FieldPath.Step
        switch next()?.kind {
        case .closing:
            return .init(step: .append, range: opening.range.lowerBound..<tokens[position - 1].range.upperBound)
        case .number(let number): step = .index(number)
        case .text(let name) where !isFirst: step = .key(name)
        default: throw expected(isFirst ? "a number or \"]\"" : "a text, a number or \"]\"", behind: true)
        }
        guard let closing = next(), case .closing = closing.kind else { throw expected("\"]\"", behind: true) }
        return .init(step: step, range: opening.range.lowerBound..<closing.range.upperBound)
    }

    /// Consumes a token; the end counts as one, so that an error is about the last one consumed.
    private mutating func next() -> FieldPathToken? {
        defer { position += 1 }
        return position < tokens.count ? tokens[position] : nil
    }

    /// The error for a token that is missing: at the last one that was consumed, or at the next one.
    private func expected(_ what: String, behind: Bool = false) -> UsageError {
        let index = behind ? position - 1 : position
        let end = tokens.last?.range.upperBound ?? 0
        let range = index < tokens.count ? tokens[index].range : end..<(end + 1)
        return UsageError(
            "The field \"\(text)\" needs \(what) \(index < tokens.count ? "here" : "at its end").",
            hint: "A backslash makes a bracket part of a name: \\[.",
            place: .init(text: text, range: range)
        )
    }
}

/// A bracket, a name or a number of a path.
private struct FieldPathToken {
    enum Kind {
        case opening
        case closing
        case text(String)
        case number(Int)
    }

    let kind: Kind
    let range: Range<Int>

    static func all(in text: String) -> [FieldPathToken] {
        let characters = Array(text)
        var tokens: [FieldPathToken] = []
        var position = 0
        while position < characters.count {
            switch characters[position] {
            case "[": tokens.append(.init(kind: .opening, range: position..<(position + 1)))
            case "]": tokens.append(.init(kind: .closing, range: position..<(position + 1)))
            default: tokens.append(word(in: characters, from: position))
            }
            position = tokens.last?.range.upperBound ?? characters.count
        }
        return tokens
    }

    /// The text up to the next bracket that is not escaped.
    private static func word(in characters: [Character], from start: Int) -> FieldPathToken {
        var name = ""
        var position = start
        var isEscaped = false
        while position < characters.count, !"[]".contains(characters[position]) {
            if characters[position] == "\\", position + 1 < characters.count {
                let isSpecial = "[]\\".contains(characters[position + 1])
                isEscaped = isEscaped || isSpecial
                name += isSpecial ? "" : "\\"
                position += 1
            }
            name.append(characters[position])
            position += 1
        }
        return .init(kind: kind(of: name, isEscaped: isEscaped), range: start..<position)
    }

    /// A backslash before a bare number makes it a name.
    private static func kind(of name: String, isEscaped: Bool) -> Kind {
        if isEscaped { return .text(name) }
        if let number = number(name) { return .number(number) }
        return .text(name.first == "\\" && number(String(name.dropFirst())) != nil ? String(name.dropFirst()) : name)
    }

    /// An integer as Python reads it: with a sign, underscores between digits, and spaces around it.
    private static func number(_ text: String) -> Int? {
        let word = text.trimming { $0.isWhitespace }
        let digits = word.first.map { "+-".contains($0) } == true ? word.dropFirst() : word
        let groups = digits.split(separator: "_", omittingEmptySubsequences: false)
        guard groups.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }) else { return nil }
        // Too many digits for an integer: an index that is too large.
        return Int((word.first == "-" ? "-" : "") + groups.joined()) ?? (word.first == "-" ? .min : .max)
    }
}
