// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// The request that the arguments describe. It can make any number of resources.
struct RequestPlan: Equatable, Sendable {
    struct Pair: Equatable, Sendable {
        var name: String
        var value: String
    }

    var method: String
    var url: String
    var query: [Pair] = []
    var headers: [Pair] = []
    /// The names of fields that are left out, although they are sent by default.
    var removedHeaders: [String] = []
    /// The `user:password` of the URL, without its escapes; `nil` if it has none.
    var login: String?
    var content: PlannedContent?
    /// Whether GET and OPTIONS may have content.
    var allowsContent = false
    var input = InputUse.none

    /// Whether a field of the name is set, in any case.
    func hasHeader(_ name: String) -> Bool {
        headers.contains { $0.name.lowercased() == name.lowercased() }
    }

    /// Whether a field of the name is left out, in any case.
    func removesHeader(_ name: String) -> Bool {
        removedHeaders.contains { $0.lowercased() == name.lowercased() }
    }

    /// Makes a resource that sends this request and accepts every status.
    func makeResource(_ interface: any NetworkInterface) -> NetworkResourceWithBody {
        let resource = BaseResource(url, networkInterface: interface).request(method).validate(status: .any)
        if !query.isEmpty { resource.query(query.map { ($0.name, $0.value) }) }
        for header in headers { resource.addHeader(header.name, header.value) }
        content?.set(on: resource)
        // Applied after the content, which sets its type.
        for name in removedHeaders where !hasHeader(name) { resource.removeHeader(name) }
        if allowsContent { resource.allowsContent() }
        return resource
    }
}

extension RequestPlan {
    /// Whether `{n}` occurs anywhere.
    var hasPlaceholder: Bool { self != numbered("") }

    /// The plan with every `{n}` replaced by the number of a load.
    func numbered(_ number: String) -> RequestPlan {
        let fill = { (text: String) in text.replacing("{n}", with: number) }
        var plan = self
        plan.url = fill(url)
        plan.query = query.map { Pair(name: fill($0.name), value: fill($0.value)) }
        plan.headers = headers.map { Pair(name: $0.name, value: fill($0.value)) }
        plan.content = content?.mapText(fill)
        return plan
    }

    /// The target of the first request; `nil` if the URL is invalid.
    var target: TargetURI? { try? TargetURI(url.replacing("{n}", with: "0")) }
}

/// The use of standard input for a request.
enum InputUse: Equatable, Sendable {
    case none
    /// It is the content, because `-` requests it.
    case asked
    /// It is the content, because it is a pipe or a file, and there is no other content.
    case implied
    /// It is left unread, although it may have been intended as the content.
    case unread
}
