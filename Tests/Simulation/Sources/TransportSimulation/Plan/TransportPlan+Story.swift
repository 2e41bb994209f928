// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

extension TransportPlan {
    var story: [String] {
        var lines = ["settings: \(Self.text(settings, besides: SettingsPlan()))"]
        if crowd > 0 { lines.append("\(crowd) streamed responses elsewhere") }
        if lagPercent > 0 { lines.append("\(lagPercent) % of the steps of tasks are late, by up to \(lag) ns") }
        if interruptedPercent > 0 { lines.append("\(interruptedPercent) % of the turns are interrupted") }
        if absentThreads > 0 { lines.append("the first \(absentThreads) threads do not start") }
        if absentLoops > 0 { lines.append("the first \(absentLoops) loops cannot be made") }
        if scarcity > 0 { lines.append("one of \(scarcity) sockets cannot be watched") }
        for (number, host) in hosts.enumerated() {
            let kind = host.isHarmless ? "harmless" : "with faults"
            lines.append("host \(number): \(host.isSecure ? "https" : "http"), \(kind)")
            for (index, connection) in host.connections.enumerated() {
                let rest = index == host.connections.count - 1 ? " and further ones" : ""
                let text = Self.text(connection, besides: ConnectionPlan())
                lines.append("  connection \(index)\(rest): \(text)")
            }
        }
        for (number, load) in loads.enumerated() {
            var head = load
            head.answers = []
            lines.append("load \(number):\(Milliseconds(load.start)) \(Self.text(head, besides: LoadPlan()))")
            for answer in load.answers { lines.append("  answer: \(Self.text(answer, besides: AnswerPlan()))") }
        }
        if let shutdown { lines.append("\(isReleased ? "release" : "shutdown"):\(Milliseconds(shutdown))") }
        return lines
    }

    /// The properties that differ from those of a plain value.
    private static func text(_ value: Any, besides plain: Any) -> String {
        let plain = Mirror(reflecting: plain).children.map { "\($0.value)" }
        let parts = zip(Mirror(reflecting: value).children, plain).compactMap { child, plain -> String? in
            let text = "\(child.value)"
            return text == plain ? nil : "\(child.label ?? ""): \(shortened(text))"
        }
        return parts.isEmpty ? "plain" : parts.joined(separator: ", ")
    }

    private static func shortened(_ text: String) -> String {
        text.replacing("TransportSimulation.", with: "").replacing("Optional", with: "")
    }
}
