// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Testing

@Suite("A network request")
struct NetworkRequestTests {
    @Test("is a value: changing it leaves its copies as they were")
    func isAValue() throws {
        let original = NetworkRequest(target: try TargetURI("https://a/x"), headers: [.accept: "a/b"], template: "x")
        var changed = original
        changed.method = .post
        changed.target = try TargetURI("https://b")
        changed.headers[.accept] = nil
        changed.body = NetworkRequest.Body(Data([1]))
        changed.timeouts.total = .seconds(1)
        changed.priority = .high
        changed.template = nil
        changed.name = "n"
        changed.requiresNewConnection = true
        changed.connectsTo = HostAndPort(host: "c", port: 1)
        changed.onEvent = { _ in }
        #expect(original.method == .get && original.target.host == "a" && original.headers[.accept] == "a/b")
        #expect(original.body == nil && original.timeouts == NetworkRequest.Timeouts() && original.priority == .normal)
        #expect(original.template == "x" && original.name == nil && !original.requiresNewConnection)
        #expect(original.connectsTo == nil && original.onEvent == nil)
        #expect(changed.method == .post && changed.target.host == "b" && changed.headers.isEmpty)
        #expect(changed.body?.count == 1 && changed.timeouts.total == .seconds(1) && changed.priority == .high)
    }

    @Test("takes a field as append does")
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
