// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// One load of `send`: its content is held in memory, streamed or saved, as the options say.
struct Transfer {
    let interface: Swifty
    let resource: NetworkResource
    let recorder: RequestRecorder
    let results: ResultOptions
    let presenter: Presenter
    /// The limit of `--max-body`.
    let byteLimit: Int?

    /// Loads, and delivers the content to its destination.
    ///
    /// - Throws: ``UsageError`` or ``OutputError``. Failures of the load are outcomes.
    func run() async throws -> Delivery {
        switch try results.target {
        // There is no content to save.
        case .file where resource.draft.method == .head: return Delivery(outcome: await load())
        case .shown: return Delivery(outcome: await load())
        case .streamed: return try await print { presenter.streamFormat($0) }
        case .direct(let path) where OutputWriter.isStandardOutput(path):
            return try await print { _ in StreamFormat() }
        case .direct(let path): return try await write(to: path)
        case .file(let path): return await FileTransfer(transfer: self, path: path).run()
        }
    }

    private func load() async -> NetworkResponse {
        let cancellation = LoadCancellation()
        Interruption.shared.onInterrupt { cancellation.cancel(reason: "interrupted") }
        return await interface.load(resource.draft, cancellation: cancellation)
    }

    /// Prints the content as it arrives, after the request and head.
    private func print(_ format: (ResponseHead) -> StreamFormat) async throws(OutputError) -> Delivery {
        try await stream { (head) throws(OutputError) in
            if results.format == .text { try await presenter.present(recorder.request, head: head) }
            let isWanted = presenter.showsContent || results.savesContent
            return StreamOutput(.standardOutput, format(head), isWanted: isWanted)
        }
    }

    /// Writes the content to a device or a pipe as it arrives.
    private func write(to path: String) async throws(OutputError) -> Delivery {
        let writer = try await OutputWriter.open(path)
        var delivery = try await stream { _ in StreamOutput(writer, StreamFormat()) }
        try await writer.close()
        delivery.isPrinted = false
        delivery.passed?.path = path
        return delivery
    }

    /// Loads, and writes the content as it arrives.
    private func stream(
        to makeOutput: (ResponseHead) async throws(OutputError) -> StreamOutput
    ) async throws(OutputError) -> Delivery {
        if results.savesOnlySuccess { resource.validate(status: .successful) }
        let cancellation = LoadCancellation()
        Interruption.shared.onInterrupt { cancellation.cancel(reason: "interrupted") }
        let stream: ResponseStream
        do throws(SwiftyError) {
            stream = try await interface.stream(resource.draft, cancellation: cancellation)
        } catch {
            return failure(error)
        }
        defer { stream.cancel() }
        var output = try await makeOutput(stream.head)
        if results.format == .json { output.digest = SHA256Digest() }
        let error = try await pass(stream, to: &output)
        var delivery = Delivery(outcome: outcome(stream, error), passed: output.passed)
        delivery.isPrinted = true
        return delivery
    }

    /// Writes the content; returns the error of the load.
    private func pass(_ stream: ResponseStream, to output: inout StreamOutput) async throws(OutputError) -> SwiftyError?
    {
        do {
            while !output.isRefused, let part = try await stream.next() {
                if let error = tooLarge(output.passed.byteCount + part.count) { return error }
                try await output.write(part)
            }
            try await output.end()
            return nil
        } catch let error as OutputError {
            throw error
        } catch let error as SwiftyError {
            try await output.end()
            return error
        } catch {
            return nil
        }
    }

    private func outcome(_ stream: ResponseStream, _ error: SwiftyError?) -> NetworkResponse {
        if let error { return NetworkResponse(error: error, request: recorder.request) }
        return NetworkResponse(head: stream.head, data: nil, request: recorder.request, metrics: stream.metrics)
    }
}

extension Transfer {
    /// The delivery of a failed load, with the response and the beginning of its content if only its status is the
    /// failure.
    func failure(_ error: SwiftyError) -> Delivery {
        let request = recorder.request
        guard error.code == .unacceptableStatus, let head = error.head else {
            return Delivery(outcome: NetworkResponse(error: error, request: request))
        }
        let (content, metrics) = (error.content ?? Data(), error.metrics ?? LoadMetrics())
        return Delivery(outcome: NetworkResponse(head: head, data: content, request: request, metrics: metrics))
    }

    /// The error of content with more bytes than `--max-body` allows; `nil` within the limit.
    func tooLarge(_ count: Int) -> SwiftyError? {
        guard let byteLimit, count > byteLimit else { return nil }
        let reason = "the response's content exceeds \(byteLimit) bytes, the limit"
        return SwiftyError(.responseTooLarge, stage: .content, sent: .responded, reason: reason)
    }
}
