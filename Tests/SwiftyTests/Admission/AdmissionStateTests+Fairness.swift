// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Swifty

extension AdmissionTests.StateTests {
    @Test(
        "lets a low priority wait at most about ten times as long as a high one, under saturation",
        arguments: [1, 4]
    )
    func ageing(places: Int) {
        var driver = AdmissionDriver(policy { $0.maximumLoadsPerHost = places }, isChecked: false)
        for _ in 0..<40 {
            for priority in NetworkRequest.Priority.allCases { driver.arrive("a", priority) }
        }
        for _ in 0..<4000 {
            driver.advance(.milliseconds(10))
            for (number, load) in driver.running.mapValues(\.load) {
                driver.finish(number)
                driver.arrive("a", load.priority)
            }
        }
        let steady = driver.sent.dropFirst(1000)
        let means = NetworkRequest.Priority.allCases.map { priority in
            let waits = steady.filter { $0.load.priority == priority }.map { $0.waited / .seconds(1) }
            return waits.reduce(0, +) / Double(waits.count)
        }
        #expect(means.allSatisfy { $0 <= 11 * means[NetworkRequest.Priority.veryHigh.rawValue] })
        #expect(means[NetworkRequest.Priority.veryHigh.rawValue] < means[NetworkRequest.Priority.low.rawValue] / 2)
    }

    @Test("lets a low priority wait at most about ten times as long as a high one, also across hosts")
    func ageingAcrossHosts() {
        var driver = AdmissionDriver(policy { $0.maximumLoads = 2 }, isChecked: false)
        for index in 0..<40 { driver.arrive(index % 2 == 0 ? "busy" : "modest", index % 2 == 0 ? .high : .low) }
        for _ in 0..<5000 {
            driver.advance(.milliseconds(10))
            for (number, load) in driver.running.mapValues(\.load) {
                driver.finish(number)
                driver.arrive(load.origin == "https://busy" ? "busy" : "modest", load.priority)
            }
        }
        func mean(_ priority: NetworkRequest.Priority) -> Double {
            let waits = driver.sent.dropFirst(500).filter { $0.load.priority == priority }
            return waits.map { $0.waited / .seconds(1) }.reduce(0, +) / Double(waits.count)
        }
        #expect(mean(.low) <= 11 * mean(.high))
        #expect(mean(.low) >= 5 * mean(.high))
    }

    @Test("lets a burst of high loads overtake a long queue of low ones")
    func overtaking() {
        var driver = AdmissionDriver(policy { $0.maximumLoadsPerHost = 1 })
        for _ in 0..<200 { driver.arrive("a", .low) }
        driver.advance(.seconds(60))
        let high = driver.arrive("a", .high)
        for number in driver.running.keys { driver.finish(number) }
        #expect(driver.running.keys.first == high)
    }

    @Test("does not let a host that never responds delay others")
    func headOfLine() {
        var driver = AdmissionDriver(
            policy {
                $0.maximumLoads = 4
                $0.maximumLoadsPerHost = 3
            }
        )
        for _ in 0..<100 { driver.arrive("dead", .veryHigh) }
        for _ in 0..<50 {
            let number = driver.arrive("alive", .veryLow)
            #expect(driver.running[number] != nil)
            driver.finish(number)
        }
    }

    @Test("prefers the host with the fewest in flight among equally urgent loads")
    func fairness() {
        var driver = AdmissionDriver(policy { $0.maximumLoads = 4 })
        let first = (0..<10).map { _ in driver.arrive("slow") }
        let other = (0..<3).map { _ in driver.arrive("quick") }
        driver.finish(first[0])
        #expect(driver.running[other[0]] != nil)
        driver.finish(other[0])
        #expect(driver.running[other[1]] != nil)
        #expect(driver.running[first[4]] == nil)
    }
}
