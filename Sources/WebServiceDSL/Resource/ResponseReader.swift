// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Makes a value of a response: the second half of a ``TypedResource``.
struct ResponseReader<Value: Sendable>: Sendable {
    typealias Read = @Sendable (NetworkResponse) throws(SwiftyError) -> Value
    typealias Explain = @Sendable (SwiftyError) -> SwiftyError

    /// The part of the work that waits; `nil` if none does.
    let preparation: ResponsePreparation?
    /// What the content of a failed response says of the failure; `nil` if it says nothing.
    private let explain: Explain?
    private let read: Read

    init(preparation: ResponsePreparation? = nil, explain: Explain? = nil, _ read: @escaping Read) {
        self.preparation = preparation
        self.explain = explain
        self.read = read
    }

    /// The value of a response that was prepared.
    func value(of response: NetworkResponse) throws(SwiftyError) -> Value {
        if let error = response.error { throw explain?(error) ?? error }
        return try read(response)
    }

    /// A reader whose value is made from this one's by a closure.
    func map<New: Sendable>(_ transform: @escaping @Sendable (Value) throws -> New) -> ResponseReader<New> {
        ResponseReader<New>(preparation: preparation, explain: explain) { [read] response throws(SwiftyError) in
            let value = try read(response)
            do {
                return try transform(value)
            } catch {
                throw response.completing(.transformFailed(from: Value.self, to: New.self, by: error))
            }
        }
    }

    /// A reader whose value is made from this one's by a closure that waits.
    func map<New: Sendable>(_ transform: @escaping @Sendable (Value) async throws -> New) -> ResponseReader<New> {
        let earlier = preparation
        let preparation = ResponsePreparation { [read] response async throws(SwiftyError) in
            try await earlier?.prepare(response)
            let value = try read(response)
            do {
                response.setPrepared(Prepared(value: try await transform(value)))
            } catch {
                throw response.completing(.transformFailed(from: Value.self, to: New.self, by: error))
            }
        }
        return ResponseReader<New>(preparation: preparation, explain: explain) { response throws(SwiftyError) in
            guard let prepared = response.prepared as? Prepared<New> else { throw response.completing(.unprepared) }
            return prepared.value
        }
    }

    /// A reader that reads the responses of some statuses in another way.
    func or(_ other: ResponseReader, when statuses: RequestDraft.AcceptedStatuses) -> ResponseReader {
        let isOther = { @Sendable (response: NetworkResponse) in statuses.contains(response.statusCode ?? 0) }
        var preparation: ResponsePreparation?
        if self.preparation != nil || other.preparation != nil {
            preparation = ResponsePreparation { [first = self.preparation] response async throws(SwiftyError) in
                try await (isOther(response) ? other.preparation : first)?.prepare(response)
            }
        }
        return ResponseReader(preparation: preparation, explain: explain) { [read] response throws(SwiftyError) in
            try isOther(response) ? other.read(response) : read(response)
        }
    }
}

extension ResponsePreparation {
    /// Prepares a successful response for its reader.
    package func callAsFunction(_ response: NetworkResponse) async throws(SwiftyError) {
        response.beginPreparation()
        try await prepare(response)
    }
}

/// The value that a closure made while the load ran.
private struct Prepared<Value: Sendable>: Sendable {
    let value: Value
}

/// Work on a response that waits. The network interface does it within the limits of the load, after the response
/// interceptors; a load with such work ends with it.
package struct ResponsePreparation: Sendable {
    fileprivate let prepare: @Sendable (NetworkResponse) async throws(SwiftyError) -> Void
}

extension NetworkInterface {
    /// Loads a request, and prepares its response: here, if the interface has not done it within its limits.
    func load(
        _ draft: RequestDraft,
        preparation: ResponsePreparation,
        cancellation: LoadCancellation
    ) async -> NetworkResponse {
        var draft = draft
        draft.preparation = preparation
        let response = await load(draft, cancellation: cancellation)
        if response.error != nil || response.isPrepared { return response }
        do throws(SwiftyError) {
            try await preparation(response)
        } catch {
            response.fail(error: error)
        }
        return response
    }
}

extension SwiftyError {
    fileprivate static func transformFailed<Old, New>(
        from old: Old.Type,
        to new: New.Type,
        by error: any Error
    ) -> SwiftyError {
        if let error = error as? SwiftyError { return error }
        if error is CancellationError {
            return SwiftyError(.cancelled, stage: .decoding, sent: .responded, reason: "the load was cancelled")
        }
        return SwiftyError(
            .transformFailed,
            stage: .decoding,
            sent: .responded,
            reason: "the closure of map(_:) from \(old) to \(new) threw: \(error)",
            underlying: error
        )
    }

    fileprivate static var unprepared: SwiftyError {
        SwiftyError(
            .transformFailed,
            stage: .decoding,
            sent: .responded,
            reason: "the network interface returned another response than the one that map(_:) was for"
        )
    }
}
