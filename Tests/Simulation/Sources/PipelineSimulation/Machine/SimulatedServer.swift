// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

import struct Foundation.Data

@testable import SwiftyTransport
@testable import WebServiceDSL

/// The response of a server, when its head is sent.
struct ServedResponse {
    var head: ResponseHead
    var parts: [Data] = []
}

/// What a server has under one URL: a content that differs for each request, a file, or a stream of events.
///
/// Written against RFC 9110 and the WHATWG's rules for events, and not against the code that reads them.
struct SimulatedServer {
    let plan: ResourcePlan
    /// The number of requests that came before.
    let index: Int

    /// The response to a request, by the answer that is planned.
    func response(to call: RequestCall, _ answer: Answer, _ history: PipelineHistory) -> ServedResponse {
        var served = success(call, answer)
        switch answer.kind {
        case .status(let status): served.head = ResponseHead(statusCode: status)
        case .challenge where !call.request.headers.contains(.authorization):
            served.head = ResponseHead(statusCode: 401, headers: [.wwwAuthenticate: "Basic realm=\"all\""])
        case .busy(let status, let seconds):
            served.head = ResponseHead(statusCode: status, headers: [.retryAfter: "\(seconds)"])
        case .redirect(let status, let target):
            served = ServedResponse(
                head: ResponseHead(statusCode: status, headers: [.location: history.url(ofResource: target, call.kind)])
            )
        default: break
        }
        if served.head.statusCode >= 400 { served.parts = [Data("an error\n".utf8)] }
        if call.request.method == .head { served.parts = [] }
        return served
    }

    private func success(_ call: RequestCall, _ answer: Answer) -> ServedResponse {
        switch call.kind {
        case .plain:
            let parts = (0..<plan.parts).map { Data("transfer \(call.number) part \($0)\n".utf8) }
            return ServedResponse(head: ResponseHead(statusCode: 200), parts: parts)
        case .file:
            if case .wrongPart = answer.kind, let range = bounds(call) { return wrongPart(call, from: range.first) }
            return file(call)
        case .events: return events(call)
        }
    }

    // MARK: Files

    /// The version of the file that a request gets.
    private var version: Int { plan.changesAfter.map { index / max($0, 1) } ?? 0 }

    private func tag(_ call: RequestCall) -> String { "\"r\(call.resource)v\(version)\"" }

    private func file(_ call: RequestCall) -> ServedResponse {
        let whole = plan.file(version, of: call.resource)
        var fields: HTTPFields = plan.hasValidator ? [.eTag: tag(call)] : [:]
        let range = plan.hasRanges ? requestedRange(call, of: whole.count) : nil
        guard let range else {
            fields[.contentLength] = "\(whole.count)"
            return ServedResponse(head: ResponseHead(statusCode: 200, headers: fields), parts: split(whole))
        }
        guard !range.isEmpty else {
            fields[.contentRange] = "bytes */\(whole.count)"
            return ServedResponse(head: ResponseHead(statusCode: 416, headers: fields))
        }
        fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(whole.count)"
        fields[.contentLength] = "\(range.count)"
        return ServedResponse(head: ResponseHead(statusCode: 206, headers: fields), parts: split(whole[range]))
    }

    /// The range that is asked for, empty if there is nothing in it; `nil` for the whole file.
    private func requestedRange(_ call: RequestCall, of count: Int) -> Range<Int>? {
        if let condition = call.request.headers[.ifRange], condition != tag(call) { return nil }
        guard let (first, last) = bounds(call) else { return nil }
        return first < count ? first..<min(last ?? count - 1, count - 1) + 1 : 0..<0
    }

    private func bounds(_ call: RequestCall) -> (first: Int, last: Int?)? {
        guard let text = call.request.headers[.range], text.hasPrefix("bytes=") else { return nil }
        let bounds = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        return (bounds.first ?? nil).map { ($0, bounds.last ?? nil) }
    }

    /// A faulty server's answer to a range.
    private func wrongPart(_ call: RequestCall, from first: Int) -> ServedResponse {
        let isLater = index % 4 == 0
        let whole = plan.file(isLater ? version + 1 : version, of: call.resource)
        let start = min(index % 4 == 1 ? first + 1 : first, whole.count - 1)
        var fields: HTTPFields = [.contentRange: "bytes \(start)-\(whole.count - 1)/\(whole.count)"]
        fields[.eTag] = isLater ? "\"r\(call.resource)v\(version + 1)\"" : tag(call)
        var content = Data(whole[start...])
        // Too short, or empty, which is no progress.
        if index % 4 == 2 { content = index % 8 == 2 ? content.dropLast() : Data() }
        if index % 4 == 3 { content += Data("more".utf8) }
        return ServedResponse(head: ResponseHead(statusCode: 206, headers: fields), parts: split(content))
    }

    private func split(_ bytes: Data) -> [Data] {
        let size = max(1, plan.partSize)
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: size).map { start in
            Data(bytes[start..<min(start + size, bytes.endIndex)])
        }
    }

    // MARK: Events

    private func events(_ call: RequestCall) -> ServedResponse {
        let last = call.request.headers[.lastEventID].flatMap { Int($0) } ?? 0
        let text = (last + 1..<last + 1 + plan.parts).map { "id: \($0)\ndata: event \($0)\n\n" }.joined()
        let head = ResponseHead(statusCode: 200, headers: [.contentType: "text/event-stream"])
        return ServedResponse(head: head, parts: split(Data(text.utf8)))
    }
}

extension ResourcePlan {
    /// The content of a version of the file.
    func file(_ version: Int, of index: Int) -> Data {
        Data((0..<max(1, parts * 3)).map { "line \($0) of file \(index), version \(version)\n" }.joined().utf8)
    }
}
