// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Testing

@Suite("A network request", .timeLimit(.minutes(15)))
struct NetworkRequestTests {
    @Test("is a value: changing it does not change its copies")
    func isAValue() throws {
        let original = NetworkRequest(target: try TargetURI("https://a/x"), headers: [.accept: "a/b"], template: "x")
        var changed = original
        changed.method = .post
        changed.target = try TargetURI("https://b")
        changed.headers[.accept] = nil
        changed.content = .data(Data([1]))
        changed.timeouts.total = .seconds(1)
        changed.priority = .high
        changed.template = nil
        changed.name = "n"
        changed.requiresNewConnection = true
        changed.connectsTo = HostAndPort(host: "c", port: 1)
        changed.onEvent = { _ in }
        #expect(original.method == .get)
        #expect(original.target.host == "a")
        #expect(original.headers[.accept] == "a/b")
        #expect(original.content.isNone)
        #expect(original.timeouts == NetworkRequest.Timeouts())
        #expect(original.priority == .normal)
        #expect(original.template == "x")
        #expect(original.name == nil)
        #expect(!original.requiresNewConnection)
        #expect(original.connectsTo == nil)
        #expect(original.onEvent == nil)
        #expect(changed.method == .post)
        #expect(changed.target.host == "b")
        #expect(changed.headers.isEmpty)
        #expect(changed.content.length == 1)
        #expect(changed.timeouts.total == .seconds(1))
        #expect(changed.priority == .high)
    }

    @Test("adds fields in the order in which append does")
    func addsFields() {
        let names: [HTTPField.Name] = [.accept, .cookie, .acceptLanguage, .cookie, .accept, .eTag, .cookie]
        var (added, appended) = (HTTPFields(), HTTPFields())
        for (index, name) in names.enumerated() {
            let field = HTTPField(name: name, value: "\(index); b=2, c")
            added.add(field)
            appended.append(field)
        }
        #expect(added.map(\.description) == appended.map(\.description))
    }
}
