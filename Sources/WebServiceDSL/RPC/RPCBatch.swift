// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

import struct Foundation.Data

/// The calls of one request.
struct RPCBatch {
    private let envelope: any RPCEnvelope
    private var messages: [RPCMessage] = []
    private var slots: [any RPCSlot] = []

    init(_ envelope: any RPCEnvelope) {
        self.envelope = envelope
    }

    /// Adds a call, whose result will be in the slot.
    mutating func add<Value>(_ call: RPCCall<Value>) -> RPCResultSlot<Value> {
        let slot = RPCResultSlot<Value>(call.method, call.draft.creationError)
        messages.append(call.message(messages.count + 1))
        slots.append(slot)
        return slot
    }

    /// Makes the calls and fills the slots.
    func load(_ resource: NetworkResourceWithBody) async throws(SwiftyError) {
        if let error = slots.firstResult(of: \.creationError) { throw error }
        let format = resource.draft.coding.json
        resource.content(Enveloped(content: .batch(messages), envelope: envelope), format: format)
        resource.modify { $0.accept(format.mediaType) }
        let response: NetworkResponse
        do throws(SwiftyError) {
            response = try await resource.load()
        } catch {
            throw error.explained(by: envelope, Self.name)
        }
        let replies = try RPCReplies.$slots.withValue(slots) {
            Result { () throws(SwiftyError) in try response.reply(RPCReplies.self, in: envelope, format: format) }
        }.get()
        if let error = replies.error { throw response.completing(.callFailed(Self.name, error)) }
        for slot in slots { slot.finish(response, format: format, faults: replies.faults) }
    }

    private static let name = "a batch"
}

/// The replies to the calls of one request, in any order.
private struct RPCReplies: Decodable {
    /// The slots of the calls: that of the call 1 is the first one.
    @TaskLocal static var slots: [any RPCSlot] = []

    /// The error of the whole request.
    private(set) var error: RPCError?
    /// What is wrong with the first replies that belong to no call.
    private(set) var faults: [String] = []
    /// A server may send any number of them.
    private static let maximumFaults = 3

    init(from decoder: any Decoder) throws {
        guard var elements = try? decoder.unkeyedContainer() else {
            // The server could not read the request.
            switch try RPCDecoding.envelope.decode(NoResult.self, from: decoder).outcome {
            case .failure(let error): self.error = error
            case .success: faults.append("the server sent one reply instead of a list")
            }
            return
        }
        while !elements.isAtEnd { take(try elements.superDecoder()) }
    }

    private mutating func take(_ reply: any Decoder) {
        do {
            let id = try RPCDecoding.envelope.decode(NoResult.self, from: reply).id
            if let id, Self.slots.indices.contains(id &- 1) { return Self.slots[id &- 1].decode(reply) }
            note("the server sent a reply to the call \(id.map { "\($0)" } ?? "null"), which was not made")
        } catch {
            note("the server sent a reply that is none: \(error)")
        }
    }

    private mutating func note(_ fault: @autoclosure () -> String) {
        if faults.count < Self.maximumFaults { faults.append(fault()) }
    }
}

/// The place of a result.
protocol RPCSlot: Sendable {
    /// The error of the call as it was written.
    var creationError: SwiftyError? { get }

    /// Decodes the reply to the call.
    func decode(_ reply: any Decoder)

    /// Makes errors of what the response lacks.
    func finish(_ response: NetworkResponse, format: JSONFormat, faults: [String])
}

final class RPCResultSlot<Value: Decodable & Sendable>: RPCSlot {
    private enum State: Sendable {
        case empty
        case result(Value)
        case refused(RPCError)
        case undecodable(any Error)
        case repeated
        case finished(Result<Value, SwiftyError>)
    }

    let creationError: SwiftyError?
    private let method: String
    private let state = Mutex(State.empty)

    init(_ method: String, _ creationError: SwiftyError?) {
        self.method = method
        self.creationError = creationError
    }

    var result: Result<Value, SwiftyError> {
        if case .finished(let result) = state.withLock({ $0 }) { return result }
        return .failure(SwiftyError(.emptyResponse, stage: .decoding, reason: "the call was not made"))
    }

    func decode(_ reply: any Decoder) {
        let new = Self.state(of: reply)
        state.withLock { state in
            if case .empty = state { state = new } else { state = .repeated }
        }
    }

    private static func state(of reply: any Decoder) -> State {
        do {
            switch try RPCDecoding.envelope.decode(Value.self, from: reply).outcome {
            case .success(let value): return .result(value)
            case .failure(let error): return .refused(error)
            }
        } catch {
            return .undecodable(error)
        }
    }

    func finish(_ response: NetworkResponse, format: JSONFormat, faults: [String]) {
        let result: Result<Value, SwiftyError> =
            switch state.withLock({ $0 }) {
            case .result(let value): .success(value)
            case .finished(let result): result
            case .refused(let error): .failure(.callFailed(method, error))
            case .undecodable(let error):
                .failure(undecodable(error, in: response, format: format))
            case .repeated: .failure(failure(.decodingFailed, ["the server sent two replies"]))
            case .empty: .failure(failure(.emptyResponse, ["the server sent no reply"] + faults))
            }
        state.withLock { $0 = .finished(result.mapError { response.completing($0) }) }
    }

    private func undecodable(_ error: any Error, in response: NetworkResponse, format: JSONFormat) -> SwiftyError {
        let fact = "the result of \(method) is not \(Value.self)"
        return .undecodable(fact, error, in: response.data ?? Data(), format: format)
    }

    private func failure(_ code: SwiftyError.Code, _ reasons: [String]) -> SwiftyError {
        let reason = "the call of \(method): \(reasons.joined(separator: "; "))"
        return SwiftyError(code, stage: .decoding, sent: .responded, reason: reason)
    }
}
