// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SimulationCore

@testable import Swifty

extension CachingHistory {
    /// Checks the response of a load by what the servers have done.
    func check(_ response: NetworkResponse, of index: Int) {
        let load = plan.loads[index]
        guard let begin = runs[index].begin, let server = weakServer,
            let number = response.head?.headers[.number].flatMap({ Int($0) }), number < server.calls.count
        else { return world.report("a load gets a response that a server has sent", "load \(index)") }
        let (call, resource) = (server.calls[number], plan.resources[load.resource])
        let asker = plan.loads[call.load]
        world.expect(
            asker.resource == load.resource && asker.user == load.user
                && asker.credential.key == load.credential.key,
            "a response is for the load that gets it",
            "load \(index) gets that of load \(call.load)"
        )
        if load.method == .get {
            let words = (response.string ?? "").split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            let language = resource.variesByLanguage(load) ? "\(load.language)" : ""
            world.expect(
                words.count == 5 && words[2...] == [load.credential.key, "\(load.user)", language]
                    && words[0] == "\(load.resource)",
                "a response is for the load that gets it",
                "load \(index): \(words)"
            )
            world.expect(
                response.string == server.contents[number],
                "a stored response is what its server sent, or has confirmed",
                "load \(index): \(words), request \(number)"
            )
        }
        checkAge(response, call, of: index)
        // Processes do not tell each other about changes, and one may store what the other has removed.
        if plan.hasNeighbour { return }
        // What was cancelled or failed meanwhile has changed nothing that its caller knows of.
        // A load past the cache knows of no removal from it, and may share an earlier transfer.
        let ignoresRemovals = plan.coalesces && load.mode == .none
        let followed = (changes[load.resource] ?? []).filter {
            $0.time < begin && !(ignoresRemovals && $0.version == 0)
        }
        if let change = followed.max(by: { $0.time < $1.time }) {
            world.expect(
                call.begin >= change.time,
                "no load gets a response that was requested before a change that it follows",
                "load \(index) gets that of request \(number)"
            )
            let version = load.method == .get ? Int(response.string?.split(separator: " ")[1] ?? "") ?? 0 : .max
            world.expect(
                followed.allSatisfy { $0.version <= version },
                "no load gets a version that it knows to be replaced",
                "load \(index) gets version \(version)"
            )
        }
        checkOrder(response, call, of: index)
    }

    /// Checks that a cache does not go back: later loads get from it what a load has got, if the cache has kept it, or
    /// what was requested later.
    private func checkOrder(_ response: NetworkResponse, _ call: CachingServer.Call, of index: Int) {
        let load = plan.loads[index]
        // What had to leave says nothing. A response to a further request counts as requested with the first one, and
        // one that waited for admission as requested before.
        let isExact = plan.hedging == nil && plan.maximumLoads == nil
        guard plan.size == 1 << 20, isExact, load.method == .get, let begin = runs[index].begin else { return }
        let resource = plan.resources[load.resource]
        let language = resource.variesByLanguage(load) ? load.language : 0
        let reader = "\(load.resource) \(load.user) \(load.credential.key) \(language)"
        switch response.metrics.source {
        case .network where load.mode != .none && resource.lifetime > 0:
            newest[reader, default: []].append((world.now, call.begin))
        case .cache:
            let earlier = newest[reader, default: []].filter { $0.time < begin }.map(\.request).max() ?? 0
            world.expect(
                call.begin >= earlier,
                "no cache goes back to a response that was requested earlier",
                "load \(index)"
            )
        default: break
        }
    }

    private func checkAge(_ response: NetworkResponse, _ call: CachingServer.Call, of index: Int) {
        let (load, source) = (plan.loads[index], response.metrics.source)
        let resource = plan.resources[load.resource]
        let age = Double(world.now - call.begin) / 1e9
        let ownCalls = weakServer?.calls.count { $0.load == index && !$0.isRedirect } ?? 0
        switch source {
        case .network, .mock: return
        case .cache:
            world.expect(
                response.metrics.attempts.isEmpty || load.mode != .standard || load.isMoved,
                "an attempt that follows a failure asks the server",
                "load \(index)"
            )
            let isUnsent = ownCalls == 0 || !response.metrics.attempts.isEmpty && !load.isMoved
            world.expect(isUnsent, "a load that a cache answers sends nothing", "load \(index)")
            world.expect(
                age <= Double(resource.lifetime),
                "a response is fresh, or said to be stale",
                "load \(index): \(age)"
            )
            world.expect(load.mode != .revalidate, "a load that asks the server gets what it says", "load \(index)")
        case .revalidatedCache:
            world.expect(
                call.load == index || plan.coalesces,
                "a load that asks the server gets what it says",
                "load \(index)"
            )
        case .staleCache:
            if load.mode == .preferStored || load.mode == .onlyStored { return }
            let isAfterFailure = plan.coalesces || ownCalls > 0 && load.fault != .none
            let isAllowedAtOnce =
                load.mode == .standard && age <= Double(resource.lifetime + resource.staleWhileRevalidate)
            let isAllowedThen = isAfterFailure && age <= Double(resource.lifetime + resource.staleIfError)
            world.expect(
                isAllowedAtOnce || isAllowedThen,
                "a stale response is used only as long as the server allows",
                "load \(index): \(age)"
            )
        }
        world.expect(
            load.mode != .none && load.mode != .reload,
            "a load past the cache gets nothing from it",
            "load \(index)"
        )
    }

    /// Checks what is left, after everything has ended.
    func checkEnd() {
        for (index, run) in runs.enumerated() where run.begin != nil {
            world.expect(run.isEnded, "every load ends exactly once", "load \(index) has not ended")
        }
        for swifty in [swifty, neighbour?.swifty].compactMap(\.self) {
            world.expect(swifty.statistics.inFlight == 0, "the statistics count no load in flight at the end")
            world.expect(swifty.admissionStatistics.inFlight == 0, "every admission is given back")
        }
        world.expect(weakServer?.openCount == 0, "every transfer ends")
        let maximum = plan.storage.isOnDisk ? plan.storage.memory : plan.size
        let caches = [cache, neighbour?.cache].compactMap(\.self)
        for cache in caches {
            let count = cache.refreshCount
            world.expect(count == 0, "no response is being refreshed at the end", "\(count)")
            world.expect(cache.statistics.bytesInMemory <= maximum, "a cache keeps to its size")
        }
        (swifty, neighbour, runs) = (nil, nil, [])
        mendDisk()
        if plan.storage.isOnDisk {
            Task { for cache in caches { await cache.flush() } }
        }
        world.run()
        let isSound = !plan.acts.contains { if case .breakDisk = $0.act { true } else { false } }
        let failures = caches.compactMap(\.statistics.latestFailure)
        world.expect(!isSound || failures.isEmpty, "a disk that works costs no response", "\(failures)")
        checkFiles()
        world.expect(weakServer == nil, "the transport is released in the end")
    }

    private func checkFiles() {
        guard plan.storage.isOnDisk else { return }
        let folder = files.path(processCount)
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        world.expect(!names.contains { $0.hasSuffix(".new") }, "no part of a file is left", "\(names)")
        let sizes = names.compactMap { name -> Int? in
            let file = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            return file?[.type] as? FileAttributeType == .typeRegular ? file?[.size] as? Int : nil
        }
        // What each process has written since it has counted the files, and one response.
        let maximum = plan.size + (plan.size / 16 + plan.size / 8) * (plan.hasNeighbour ? 2 : 1)
        world.expect(sizes.reduce(0, +) <= maximum, "a cache keeps to its size", "\(sizes) in files")
        files.remove()
    }
}
