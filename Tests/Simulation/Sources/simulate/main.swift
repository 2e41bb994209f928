// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import PipelineSimulation
import SimulationCore
import TransportSimulation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

fixHashing()
guard let options = RunnerOptions(CommandLine.arguments.dropFirst()) else {
    print(RunnerOptions.usage)
    exit(2)
}
setvbuf(stdout, nil, _IOLBF, 0)
let scenarios = TransportScenarios.all + PipelineScenarios.all
var runner = Runner(options, scenarios) { print($0) }
exit(runner.run() ? 0 : 1)
