// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// A resource of a server, and its answers in the order of the requests. Times are milliseconds.
struct ResourcePlan: Sendable, CustomStringConvertible {
    /// The number of the server.
    var host: Int
    /// The number of parts that the content comes in.
    var parts: Int
    /// The number of bytes that files and events come in.
    var partSize: Int
    /// The number of requests after which a file changes; `nil` for never.
    var changesAfter: Int?
    var hasValidator: Bool
    var hasRanges: Bool
    /// The answers in turn; later requests get the content at once.
    var answers: [Answer]

    init(_ random: inout SimulationRandom, of count: Int) {
        host = random.below(3)
        parts = random.number(0...6)
        partSize = random.spread(3...300)
        changesAfter = random.chance(75) ? nil : random.number(1...4)
        hasValidator = random.chance(90)
        hasRanges = random.chance(90)
        answers = (0..<random.spread(0...12)).map { _ in Answer(&random, resourceCount: count) }
    }

    /// Has its files arrive in pieces, some of which are wrong.
    mutating func interrupt(_ random: inout SimulationRandom) {
        (parts, partSize, hasRanges, hasValidator) = (random.number(2...6), random.spread(3...60), true, true)
        let cuts = (0..<random.number(1...6)).map { _ in Answer(time: random.spread(0...50), partTime: 0, kind: .cut) }
        answers = cuts + Array(repeating: Answer(time: 0, partTime: 0, kind: .wrongPart), count: random.number(1...3))
    }

    func answer(_ index: Int) -> Answer {
        answers.indices.contains(index) ? answers[index] : Answer(time: 5, partTime: 0, kind: .content)
    }

    var description: String {
        let file = "\(hasValidator ? "" : " no validator,")\(hasRanges ? "" : " no ranges,")"
        let change = changesAfter.map { " changes every \($0) requests," } ?? ""
        return "on server \(host), \(parts) parts of \(partSize) bytes,\(file)\(change) answers \(answers)"
    }

    var simplifications: [ResourcePlan] {
        answers.indices.map { index in
            var plan = self
            plan.answers.remove(at: index)
            return plan
        } + answers.indices.flatMap { replacing(self, \.answers[$0].time, with: answers[$0].time.simpler()) }
            + replacing(self, \.parts, with: parts.simpler())
            + replacing(self, \.partSize, with: partSize.simpler(towards: 300))
            + (changesAfter == nil ? [] : replacing(self, \.changesAfter, with: [nil]))
    }
}

/// What a server does with one request.
struct Answer: Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        case content
        case status(Int)
        /// A challenge, unless the request has credentials.
        case challenge
        /// With `Retry-After`, in seconds.
        case busy(Int, retryAfter: Int)
        case redirect(Int, to: Int)
        /// There is no connection.
        case refused
        /// The connection ends before a response; the request may have been processed.
        case lost
        /// The connection ends in the content.
        case cut
        /// A part of a file that is another one than was requested, shorter, longer, or of a later version.
        case wrongPart
        case never
    }

    /// The time until the head, or until the failure.
    var time: Int
    /// The time before each part of the content.
    var partTime: Int
    var kind: Kind

    init(time: Int, partTime: Int, kind: Kind) {
        (self.time, self.partTime, self.kind) = (time, partTime, kind)
    }

    init(_ random: inout SimulationRandom, resourceCount: Int) {
        time = random.spread(0...3_000)
        partTime = random.chance(60) ? 0 : random.spread(0...500)
        kind = random.choose([
            8: Kind.content,
            3: .status(random.choose([500, 502, 504, 404, 408, 421, 425, 400])),
            2: .status(random.choose([401, 401, 403])),
            3: .busy(random.choose([429, 503]), retryAfter: random.spread(0...5)),
            3: .redirect(random.choose([301, 302, 303, 307, 308]), to: random.below(resourceCount)),
            2: .refused, 3: .lost, 2: .challenge, 2: .cut, 1: .wrongPart, 2: .never,
        ])
    }

    var description: String { "\(kind) after \(time) ms\(partTime == 0 ? "" : ", parts every \(partTime) ms")" }
}
