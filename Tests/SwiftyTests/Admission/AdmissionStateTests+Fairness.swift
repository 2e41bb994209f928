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
        var simulation = AdmissionSimulation(policy { $0.maximumLoadsPerHost = places }, isChecked: false)
        for _ in 0..<40 {
            for priority in NetworkRequest.Priority.allCases { simulation.arrive("a", priority) }
        }
        for _ in 0..<4000 {
            simulation.advance(.milliseconds(10))
            for (number, load) in simulation.running.mapValues(\.load) {
                simulation.finish(number)
                simulation.arrive("a", load.priority)
            }
        }
        let steady = simulation.sent.dropFirst(1000)
        let means = NetworkRequest.Priority.allCases.map { priority in
            let waits = steady.filter { $0.load.priority == priority }.map { $0.waited / .seconds(1) }
            return waits.reduce(0, +) / Double(waits.count)
        }
        #expect(means.allSatisfy { $0 <= 11 * means[NetworkRequest.Priority.veryHigh.rawValue] })
        #expect(means[NetworkRequest.Priority.veryHigh.rawValue] < means[NetworkRequest.Priority.low.rawValue] / 2)
    }

    @Test("lets a low priority wait at most about ten times as long as a high one, also across hosts")
    func ageingAcrossHosts() {
        var simulation = AdmissionSimulation(policy { $0.maximumLoads = 2 }, isChecked: false)
        for index in 0..<40 { simulation.arrive(index % 2 == 0 ? "busy" : "modest", index % 2 == 0 ? .high : .low) }
        for _ in 0..<5000 {
            simulation.advance(.milliseconds(10))
            for (number, load) in simulation.running.mapValues(\.load) {
                simulation.finish(number)
                simulation.arrive(load.origin == "https://busy" ? "busy" : "modest", load.priority)
            }
        }
        func mean(_ priority: NetworkRequest.Priority) -> Double {
            let waits = simulation.sent.dropFirst(500).filter { $0.load.priority == priority }
            return waits.map { $0.waited / .seconds(1) }.reduce(0, +) / Double(waits.count)
        }
        #expect(mean(.low) <= 11 * mean(.high))
        #expect(mean(.low) >= 5 * mean(.high))
    }

    @Test("lets a burst of high loads overtake a long queue of low ones")
    func overtaking() {
        var simulation = AdmissionSimulation(policy { $0.maximumLoadsPerHost = 1 })
        for _ in 0..<200 { simulation.arrive("a", .low) }
        simulation.advance(.seconds(60))
        let high = simulation.arrive("a", .high)
        for number in simulation.running.keys { simulation.finish(number) }
        #expect(simulation.running.keys.first == high)
    }

    @Test("does not let a host that never responds delay others")
    func headOfLine() {
        var simulation = AdmissionSimulation(
            policy {
                $0.maximumLoads = 4
                $0.maximumLoadsPerHost = 3
            }
        )
        for _ in 0..<100 { simulation.arrive("dead", .veryHigh) }
        for _ in 0..<50 {
            let number = simulation.arrive("alive", .veryLow)
            #expect(simulation.running[number] != nil)
            simulation.finish(number)
        }
    }

    @Test("prefers the host with the fewest in flight among equally urgent loads")
    func fairness() {
        var simulation = AdmissionSimulation(policy { $0.maximumLoads = 4 })
        let first = (0..<10).map { _ in simulation.arrive("slow") }
        let other = (0..<3).map { _ in simulation.arrive("quick") }
        simulation.finish(first[0])
        #expect(simulation.running[other[0]] != nil)
        simulation.finish(other[0])
        #expect(simulation.running[other[1]] != nil)
        #expect(simulation.running[first[4]] == nil)
    }
}
