// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SimulationCore

/// The folder of the downloads of a history, in memory where the system has such a folder.
///
/// The files are real: their locks, names and records are part of what is tested.
final class SimulatedFiles {
    private(set) var used: Set<Int> = []
    private lazy var folder: String = {
        let root = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let path = "\(root)/swifty-simulation-\(getpid())"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }()

    /// The path of a target.
    func path(_ target: Int) -> String {
        used.insert(target)
        return "\(folder)/file\(target)"
    }

    /// Under its final name there is a whole content, or nothing.
    func check(_ target: Int, mustExist: Bool, _ history: PipelineHistory) {
        guard let content = FileManager.default.contents(atPath: path(target)) else {
            return history.world.expect(!mustExist, "a download that succeeds leaves its file", "file \(target)")
        }
        let resources = history.plan.resources.enumerated()
        let isWhole = resources.contains { index, resource in
            (0...64).contains { resource.file($0, of: index) == content }
        }
        history.world.expect(isWhole, "a file is a whole content", "file \(target), \(content.count) bytes")
    }

    /// Nothing is left of downloads beside their files.
    func checkRemains(_ history: PipelineHistory) {
        let names = Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        let remains = names.subtracting(used.map { "file\($0)" }).sorted()
        history.world.expect(remains.isEmpty, "no part of a file is left", "\(remains)")
    }

    /// Makes a copy of a folder.
    func copy(_ source: Int, to target: Int) {
        try? FileManager.default.copyItem(atPath: path(source), toPath: path(target))
    }

    /// Has every use of a folder fail; what is in it is kept.
    func makeUnusable(_ target: Int) {
        let place = path(target)
        try? FileManager.default.moveItem(atPath: place, toPath: place + "-aside")
        try? FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: place)
    }

    /// Has a folder be as it was before it became unusable.
    func makeUsable(_ target: Int) {
        let place = path(target)
        try? FileManager.default.removeItem(atPath: place)
        try? FileManager.default.moveItem(atPath: place + "-aside", toPath: place)
    }

    func remove() {
        if !used.isEmpty { try? FileManager.default.removeItem(atPath: folder) }
    }
}
