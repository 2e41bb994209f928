// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Synchronization
import TestSupport
import Testing

@Suite("A cancellation", .timeLimit(.minutes(15)))
struct LoadCancellationTests {
    @Test("calls every handler that is registered, once, in their order")
    func order() {
        let (cancellation, calls) = (LoadCancellation(), Recording<Int>())
        let registrations = (0..<5).map { number in cancellation.onCancel { _ in calls.append(number) } }
        cancellation.remove(registrations[4])
        cancellation.remove(registrations[1])
        cancellation.remove(registrations[1])
        cancellation.remove(nil)
        cancellation.cancel(with: .shutdown)
        cancellation.cancel()
        cancellation.remove(registrations[0])
        #expect(calls.values == [0, 2, 3])
        #expect(cancellation.code == .shutdown)
    }

    @Test("that has fired calls a new handler immediately, and keeps none")
    func fired() {
        let (cancellation, codes) = (LoadCancellation(), Recording<SwiftyError.Code>())
        cancellation.cancel(with: .timedOut, reason: "late")
        var object: Counter? = Counter()
        weak let weakObject = object
        _ = cancellation.onCancel { [object] in
            codes.append($0)
            object?.increment()
        }
        object = nil
        #expect(codes.values == [.timedOut])
        #expect(cancellation.reason == "late")
        #expect(weakObject == nil)
    }

    @Test("may be used by a handler, and by what a handler is the last to hold")
    func reentrancy() {
        final class Holder: Sendable {
            let cancellation: LoadCancellation
            init(_ cancellation: LoadCancellation) { self.cancellation = cancellation }
            deinit { cancellation.remove(cancellation.onCancel { _ in }) }
        }
        let (cancellation, calls) = (LoadCancellation(), Counter())
        let registration = { (holder: Holder) in cancellation.onCancel { _ in _ = holder } }(Holder(cancellation))
        cancellation.remove(registration)
        _ = cancellation.onCancel { [weak cancellation] _ in
            _ = cancellation?.onCancel { _ in calls.increment() }
            cancellation?.cancel()
        }
        cancellation.cancel()
        #expect(calls.value == 1)
    }

    @Test("calls each handler exactly once or never beside removals and registrations on other threads")
    func race() async {
        for _ in 0..<200 {
            let (cancellation, calls) = (LoadCancellation(), (0..<8).map { _ in Counter() })
            await withTaskGroup(of: Void.self) { group in
                for (index, counter) in calls.enumerated() {
                    group.addTask {
                        let registration = cancellation.onCancel { _ in counter.increment() }
                        if index.isMultiple(of: 2) { cancellation.remove(registration) }
                    }
                }
                group.addTask { cancellation.cancel() }
            }
            for (index, counter) in calls.enumerated() {
                #expect(index.isMultiple(of: 2) ? counter.value <= 1 : counter.value == 1)
            }
        }
    }
}
