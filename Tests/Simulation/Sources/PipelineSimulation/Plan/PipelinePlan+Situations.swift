// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

// What takes several things at once: chance alone brings it too seldom.

extension PipelinePlan {
    /// Has a load read events slowly: its transfer reaches the total limit between two of them, while parts are unread,
    /// and a graceful shutdown, which ends such a stream where an event ends, has begun before.
    mutating func shutDownReader(_ random: inout SimulationRandom) {
        let index = random.below(loads.count)
        let pause = random.number(10...500)
        let total = random.number(pause...4 * pause)
        var load = LoadPlan.plain
        (load.time, load.resource, load.total) = (loads[index].time, loads[index].resource, total)
        load.form = .events(count: 12, attempts: random.number(0...4), pause: pause)
        load.canHaveConstraints = random.chance(50)
        loads[index] = load

        // An event is 21 bytes long.
        (resources[load.resource].parts, resources[load.resource].partSize) = (6, random.number(12...40))
        let answer = Answer(time: random.spread(0...pause), partTime: random.spread(0...pause / 4), kind: .content)
        resources[load.resource].answers = Array(repeating: answer, count: 6)
        let time = load.time + random.number(0...total)
        acts.append(ActPlan(time: time, kind: .shutdown(graceful: random.spread(1...5_000))))
    }
}
