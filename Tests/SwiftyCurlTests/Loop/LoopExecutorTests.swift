// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@Suite("The executor of a transport", .timeLimit(.minutes(15)))
struct LoopExecutorTests {
    @Test("runs tasks on the loop's thread, between its transfers")
    func thread() async throws {
        let server = try LoopbackServer()
        let transport = CurlTransport()
        await withTaskGroup(of: Set<String>.self) { group in
            for _ in 0..<32 {
                group.addTask(executorPreference: transport.executor) {
                    var names: Set<String> = []
                    for _ in 0..<20 {
                        names.insert(ThisProcess.currentThreadName)
                        let response = try? await transport.get(server.url + "/ip")
                        #expect(response?.head.statusCode == 200)
                        names.insert(ThisProcess.currentThreadName)
                    }
                    return names
                }
            }
            let names = await group.reduce(into: Set<String>()) { $0.formUnion($1) }
            #expect(names == ["swifty-curl-0"])
        }
        await transport.shutdown()
    }

    @Test("does not keep other tasks from loading")
    func others() async throws {
        let server = try LoopbackServer()
        let transport = CurlTransport()
        async let inside: Int = Task(executorPreference: transport.executor) {
            var count = 0
            for _ in 0..<100 {
                await Task.yield()
                count += try await transport.get(server.url + "/ip").head.statusCode == 200 ? 1 : 0
            }
            return count
        }.value
        for _ in 0..<100 { #expect(try await transport.get(server.url + "/ip").head.statusCode == 200) }
        #expect(try await inside == 100)
    }

    @Test("runs tasks elsewhere once its transport is shut down, from one of them or not", arguments: [true, false])
    func shutdown(isInside: Bool) async throws {
        let transport = CurlTransport()
        if isInside {
            await Task(executorPreference: transport.executor) { await transport.shutdown() }.value
        } else {
            await transport.shutdown()
        }
        let name = await Task(executorPreference: transport.executor) {
            await Task.yield()
            let error = try? await transport.failure(of: .to("http://127.0.0.1:9/"))
            #expect(error?.code == .shutdown)
            return ThisProcess.currentThreadName
        }.value
        #expect(!name.hasPrefix("swifty-curl"))
    }

    @Test("outlives its transport")
    func release() async throws {
        let executor = CurlTransport().executor
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 1...100 { group.addTask(executorPreference: executor) { number } }
            return await group.reduce(0, +)
        }
        #expect(sum == 5050)
    }
}
