// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import SimulationCore

/// The scenarios of the transport.
public enum TransportScenarios {
    /// All of them.
    public static var all: [any Scenario.Type] { [TransportScenario.self] }
}
