// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import Testing

extension StressTests {
    @Test("10,000 GETs of which 1 % are reset in the content all succeed, once each, with at most 2 % extra attempts")
    func resetGets() async throws {
        let count = Self.scaled(10_000)
        let faulty = try await FaultyServer.start(items: count)
        let swifty = Self.retryingSwifty()
        let base = BaseResource(faulty.server.url, networkInterface: swifty)
        let (completions, failures) = (Tally(count), Failures())
        await Self.inFlight(of: count) { index in
            await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
                base.get("item/{number}", ["number": index]).load { (response: NetworkResponse) in
                    if response.error != nil || response.data != FaultyServer.content { failures.add(response.error) }
                    if completions.count(index) == 1 { ended.resume() }
                }
            }
        }
        await swifty.shutdown()
        #expect(failures.errors.isEmpty, "\(failures)")
        #expect(completions.values.allSatisfy { $0 == 1 })
        #expect(faulty.attempts.values.allSatisfy { $0 >= 1 })
        #expect(faulty.attempts.total >= count + count / 100)
        #expect(faulty.attempts.total <= count + count / 50)
        #expect(swifty.statistics.succeeded == count)
    }

    @Test("of 10,000 POSTs without an idempotency key none reaches the server twice, and failures say what happened")
    func resetPosts() async throws {
        let count = Self.scaled(10_000)
        let faulty = try await FaultyServer.start(items: count)
        let swifty = Self.retryingSwifty()
        let base = BaseResource(faulty.server.url, networkInterface: swifty)
        let (completions, failures) = (Tally(count), Failures())
        await Self.inFlight(of: count) { index in
            do throws(SwiftyError) {
                _ = try await base.post("item/{number}", ["number": index]).data(FaultyServer.content).load()
            } catch {
                failures.add(error)
            }
            completions.count(index)
        }
        await swifty.shutdown()
        #expect(failures.errors.count == (0..<count).filter(FaultyServer.isFaulty).count, "\(failures)")
        #expect(failures.errors.allSatisfy { $0?.code == .connectionLost }, "\(failures)")
        #expect(failures.errors.allSatisfy { $0?.sent != .notSent }, "\(failures)")
        #expect(failures.errors.allSatisfy { $0?.attempts.count == 1 })
        #expect(completions.values.allSatisfy { $0 == 1 })
        #expect(faulty.attempts.values.allSatisfy { $0 == 1 })
    }

    @Test("10,000 POSTs with an idempotency key all succeed, with one key for each load, whatever its attempts")
    func resetPostsWithKey() async throws {
        let count = Self.scaled(10_000)
        let faulty = try await FaultyServer.start(items: count)
        let swifty = Self.retryingSwifty()
        let base = BaseResource(faulty.server.url, networkInterface: swifty)
        let failures = Failures()
        await Self.inFlight(of: count) { index in
            do throws(SwiftyError) {
                let resource = base.post("item/{number}", ["number": index]).data(FaultyServer.content)
                _ = try await resource.idempotencyKey().load()
            } catch {
                failures.add(error)
            }
        }
        await swifty.shutdown()
        #expect(failures.errors.isEmpty, "\(failures)")
        #expect(faulty.attempts.total <= count + count / 50)
        let keys = faulty.keys.keys
        #expect(keys.count == count)
        #expect(keys.values.allSatisfy { $0.count == 1 })
        #expect(Set(keys.values.joined()).count == count)
        #expect((0..<count).filter(FaultyServer.isFaulty).allSatisfy { faulty.attempts.values[$0] >= 2 })
    }
}
