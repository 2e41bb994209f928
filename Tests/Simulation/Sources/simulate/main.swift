// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import PipelineSimulation
import SimulationCore
import TransportSimulation

SimulatedProcess.prepare()
guard let options = RunnerOptions(CommandLine.arguments.dropFirst()) else {
    print(RunnerOptions.usage)
    SimulatedProcess.exit(2)
}
let scenarios = TransportScenarios.all + PipelineScenarios.all
var runner = Runner(options, scenarios) { print($0) }
SimulatedProcess.exit(runner.run() ? 0 : 1)
