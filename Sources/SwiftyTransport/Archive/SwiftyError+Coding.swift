// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

extension SwiftyError.Code: Codable {}
extension SwiftyError.Stage: Codable {}
extension SwiftyError.SentState: Codable {}
extension SwiftyError.TimeLimit: Codable {}

/// The summary of a request as an archive, without secrets. What a service declared to be secret is not part of it, so
/// an error that is read again hides only what every service hides.
extension NetworkRequest.Summary: Codable {
    private enum Key: CodingKey { case method, url, template, name }

    /// Decodes a summary.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            method: try members.decode(String.self, forKey: .method),
            url: try members.decode(String.self, forKey: .url),
            template: try members.decodeIfPresent(String.self, forKey: .template),
            name: try members.decodeIfPresent(String.self, forKey: .name)
        )
    }

    /// Encodes a summary.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(method, forKey: .method)
        try members.encode(url, forKey: .url)
        try members.encodeIfPresent(template, forKey: .template)
        try members.encodeIfPresent(name, forKey: .name)
    }
}

/// An error as an archive: all of its properties, with head and content as the server sent them. Of an ``underlying``
/// error only its description is kept, in the ``reason`` of an error that has none.
extension SwiftyError: Codable {
    private enum Key: CodingKey {
        case code, stage, sent, reason, timeLimit, request, head, content, transfer, metrics
    }

    /// Decodes an error.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            try members.decode(Code.self, forKey: .code),
            stage: try members.decode(Stage.self, forKey: .stage),
            sent: try members.decode(SentState.self, forKey: .sent),
            reason: try members.value(forKey: .reason, default: "")
        )
        timeLimit = try members.decodeIfPresent(TimeLimit.self, forKey: .timeLimit)
        request = try members.decodeIfPresent(NetworkRequest.Summary.self, forKey: .request)
        head = try members.decodeIfPresent(ResponseHead.self, forKey: .head)
        content = try members.decodeIfPresent(Data.self, forKey: .content)
        transfer = try members.decodeIfPresent(TransferMetrics.self, forKey: .transfer)
        metrics = try members.decodeIfPresent(LoadMetrics.self, forKey: .metrics)
    }

    /// Encodes an error.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        let reason = reason.isEmpty ? underlying.map { String(describing: $0) } ?? "" : reason
        try members.encode(code, forKey: .code)
        try members.encode(stage, forKey: .stage)
        try members.encode(sent, forKey: .sent)
        try members.encode(reason, forKey: .reason)
        try members.encodeIfPresent(timeLimit, forKey: .timeLimit)
        try members.encodeIfPresent(request, forKey: .request)
        try members.encodeIfPresent(head, forKey: .head)
        try members.encodeIfPresent(content, forKey: .content)
        try members.encodeIfPresent(transfer, forKey: .transfer)
        try members.encodeIfPresent(metrics, forKey: .metrics)
    }
}
