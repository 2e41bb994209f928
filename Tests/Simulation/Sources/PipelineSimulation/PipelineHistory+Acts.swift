// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty

// What happens to the whole `Swifty`.

extension PipelineHistory {
    func perform(_ act: ActPlan.Kind) {
        guard let swifty else { return }
        switch act {
        case .pause(let time): pause(swifty, for: time)
        case .setPriority(let load, let priority):
            world.note(.priorityChanged, of: load, priority, is: "load \(load) gets the priority \(priority)")
            runs[load]?.setPriority(priority)
        case .setQuality(let index):
            let quality = [nil, .poor, .fair, .good][index] as AdmissionPolicy.NetworkQuality?
            world.note(.qualityChanged, of: index, is: "the network is \(quality.map { "\($0)" } ?? "measured")")
            swifty.overrideNetworkQuality(quality)
        case .cancelTag(let tag):
            for run in active where run.plan.tag == tag { run.noteCancellation("load \(run.number) is cancelled") }
            // After those of its loads, so that what comes next is counted as what follows it.
            world.note(.tagCancelled, of: tag, is: "the loads with the tag \(tag) are cancelled")
            swifty.cancelLoads(withTag: "tag\(tag)")
        case .cancelAll:
            for run in active { run.noteCancellation("load \(run.number) is cancelled") }
            world.note(.allCancelled, is: "all loads are cancelled")
            swifty.cancelAllLoads()
        case .shutdown(let graceful): shutDown(swifty, graceful: graceful)
        case .release:
            world.note(.released, is: "the Swifty is released")
            self.swifty = nil
        }
    }

    /// The loads that the `Swifty` knows. One that makes several may be between two of them.
    private var active: [LoadRun] {
        runs.values.filter { $0.isCreated && !$0.isCompound }.sorted { $0.number < $1.number }
    }

    private func pause(_ swifty: Swifty, for time: Int) {
        world.note(.paused, is: "all loads are held")
        admission.isPausedSince = world.now
        swifty.pause()
        world.after(time.milliseconds) { [weak self] in self?.resume() }
    }

    private func resume() {
        world.note(.resumed, is: "loads are admitted again")
        admission.isPausedSince = nil
        weakSwifty?.resume()
    }

    private func shutDown(_ swifty: Swifty, graceful: Int) {
        world.note(.shutdownBegins, of: graceful, is: "the shutdown begins, within \(graceful) ms")
        shutdownCount += 1
        shutdownTime = shutdownTime ?? world.now
        shutdownEnd = min(shutdownEnd ?? .max, world.now + graceful.milliseconds)
        Task { [self] in
            if graceful == 0 {
                for run in active { run.noteCancellation("load \(run.number) is shut down") }
            }
            await swifty.shutdown(graceful: .planned(graceful))
            shutdownCount -= 1
            world.note(.shutdownEnds, is: "the shutdown ends")
            world.expect(swifty.statistics.inFlight == 0, "no load is left after a shutdown")
            world.expect(transport?.open.isEmpty ?? true, "no transfer is left after a shutdown")
        }
    }

    /// After the faults every download can be completed, whatever the earlier ones have left.
    func completeFiles() {
        defer { files.remove() }
        world.soon { [self] in
            let transport = SimulatedTransport(self)
            self.transport = transport
            let swifty = Swifty(transport: transport) { $0.clock = clock }
            for target in files.used.sorted() {
                Task {
                    let resource = BaseResource("https://server0.example", networkInterface: swifty).get("f/0")
                    let file = try? await resource.download(to: files.path(target))
                    world.expect(file != nil, "a download succeeds after the faults", "file \(target)")
                    files.check(target, mustExist: true, self)
                }
            }
        }
        world.run()
        files.checkRemains(self)
    }

    func endFaults() {
        isHealthy = true
        transport?.endFaults()
        if admission.isPausedSince != nil { resume() }
    }
}
