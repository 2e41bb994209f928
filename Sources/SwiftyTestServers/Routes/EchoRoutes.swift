// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// Routes that return what was sent.
enum EchoRoutes {
    @Sendable static func withoutBody(_ request: RecordedRequest) -> LoopbackResponse {
        .json(members(of: request, "args", "headers", "origin", "url"))
    }

    @Sendable static func withBody(_ request: RecordedRequest) -> LoopbackResponse {
        .json(members(of: request, "args", "data", "files", "form", "headers", "json", "origin", "url"))
    }

    @Sendable static func anything(_ request: RecordedRequest) -> LoopbackResponse {
        .json(members(of: request, "args", "data", "files", "form", "headers", "json", "method", "origin", "url"))
    }

    @Sendable static func origin(_ request: RecordedRequest) -> LoopbackResponse {
        .json(members(of: request, "origin"))
    }

    @Sendable static func headers(_ request: RecordedRequest) -> LoopbackResponse {
        .json(members(of: request, "headers"))
    }

    @Sendable static func userAgent(_ request: RecordedRequest) -> LoopbackResponse {
        .json(["user-agent": request["User-Agent"].map { EchoValue.string($0) } ?? .null])
    }

    /// The named members of httpbin's description of a request.
    static func members(of request: RecordedRequest, _ names: String...) -> [String: EchoValue] {
        let content = names.contains("data") ? EchoContent(request) : nil
        var members: [String: EchoValue] = [:]
        for name in names { members[name] = member(name, of: request, content) }
        return members
    }

    private static func member(_ name: String, of request: RecordedRequest, _ content: EchoContent?) -> EchoValue {
        switch name {
        case "args": EchoValue(grouping: request.queryItems)
        case "headers": headerMembers(of: request)
        case "method": .string(request.method)
        case "origin": .string(request.remoteAddress)
        case "url": .string(url(of: request))
        case "data": content?.data ?? ""
        case "files": content?.files ?? [:]
        case "form": content?.form ?? [:]
        case "json": content?.json ?? .null
        default: .null
        }
    }

    private static func url(of request: RecordedRequest) -> String {
        request.target.hasPrefix("/") ? request.hostURL + request.target : request.target
    }

    /// The fields with capitalized names, several values joined by commas.
    private static func headerMembers(of request: RecordedRequest) -> EchoValue {
        var members: [String: String] = [:]
        for (name, value) in request.headers {
            let name = name.split(separator: "-", omittingEmptySubsequences: false).map(\.capitalized).joined(
                separator: "-"
            )
            members[name] = members[name].map { "\($0),\(value)" } ?? value
        }
        return .object(members.mapValues { .string($0) })
    }
}

/// Request content as httpbin describes it.
private struct EchoContent {
    var data: EchoValue = ""
    var form: EchoValue = [:]
    var files: EchoValue = [:]
    var json: EchoValue = .null

    init(_ request: RecordedRequest) {
        let contentType = request["Content-Type"] ?? ""
        let mediaType = contentType.prefix { $0 != ";" }.trimmingSpacesAndTabs().lowercased()
        if mediaType == "application/x-www-form-urlencoded" {
            form = EchoValue(grouping: FormContent.items(request.text))
        } else if mediaType == "multipart/form-data",
            let multipart = MultipartContent(request.content, contentType: contentType)
        {
            form = Self.grouped(multipart.parts.filter { $0.fileName == nil })
            files = Self.grouped(multipart.parts.filter { $0.fileName != nil })
        } else {
            data = EchoValue(content: request.content)
            json = EchoValue(parsing: request.content)
        }
    }

    private static func grouped(_ parts: [MultipartContent.Part]) -> EchoValue {
        EchoValue(
            grouping: parts.map { part in
                guard case .string(let text) = EchoValue(content: part.content) else { return (part.name, "") }
                return (part.name, text)
            }
        )
    }
}
