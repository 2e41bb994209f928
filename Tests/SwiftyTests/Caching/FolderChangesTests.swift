// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Swifty

@Suite("The changes of a cache's directory", .timeLimit(.minutes(15)))
struct FolderChangesTests {
    private let resources = ["a", "b", "c"].map { CacheDigest([$0]) }
    private let files = ["1", "2"].map {
        FolderChanges.File(partition: CacheDigest(["user"]), variant: CacheDigest([$0]))
    }

    private func response(_ count: Int) -> StoredResponse {
        StoredResponse(
            head: ResponseHead(statusCode: 200),
            content: Data(count: count),
            times: CacheTimes(requested: 0, received: 0),
            variant: CacheVariant(selection: .all, digest: CacheDigest([])),
            ownLifetime: nil
        )
    }

    private func size(_ count: Int) -> Int { response(count).size }

    /// Begins and ends the next step, and says in words what it was: the resource, and what becomes of each file.
    private func next(_ changes: inout FolderChanges) -> String {
        let step = changes.begin()
        changes.end()
        return words(step)
    }

    private func words(_ step: FolderChanges.Step?) -> String {
        switch step {
        case nil: return "nothing"
        case .removeEverything: return "everything"
        case .change(let resource, let batch):
            var words = ["\(resources.firstIndex(of: resource) ?? -1)"] + (batch.removesAll ? ["all"] : [])
            for (index, file) in files.enumerated() {
                switch batch.files[file] {
                case .store(let response): words.append("\(index)=\(response.content.count)")
                case .remove: words.append("\(index) removed")
                case nil: break
                }
            }
            return words.joined(separator: ", ")
        }
    }

    @Test("of one file replace one another until they begin")
    func replaced() {
        var changes = FolderChanges()
        changes.add(.store(response(10)), of: files[0], resources[0])
        changes.add(.store(response(20)), of: files[0], resources[0])
        changes.add(.remove, of: files[1], resources[0])
        #expect(changes.count == 2)
        #expect(changes.bytes == size(20))
        let step = changes.begin()
        #expect(words(step) == "0, 0=20, 1 removed")
        #expect(changes.contains(resources[0]))
        #expect(!changes.contains(resources[1]))
        // Again, while those before are made.
        changes.add(.store(response(5)), of: files[0], resources[0])
        changes.end()
        #expect(changes.contains(resources[0]))
        #expect(changes.bytes == size(5))
        #expect(next(&changes) == "0, 0=5")
        #expect(next(&changes) == "nothing")
        #expect(changes.isEmpty && !changes.contains(resources[0]))
        #expect(changes.count == 0 && changes.bytes == 0)
    }

    @Test("of a resource that is removed are forgotten, and those after its removal are made after it")
    func removal() {
        var changes = FolderChanges()
        changes.add(.store(response(10)), of: files[0], resources[0])
        changes.addRemoval(of: resources[0])
        #expect(changes.bytes == 0 && changes.count == 1)
        changes.add(.store(response(7)), of: files[1], resources[0])
        let step = changes.begin()
        #expect(words(step) == "0, all, 1=7")
        changes.addRemoval(of: resources[0])
        #expect(changes.bytes == size(7))
        changes.end()
        #expect(changes.bytes == 0)
        #expect(next(&changes) == "0, all")
    }

    @Test("that remove are made before those that only write, also before those of a round that has begun")
    func order() {
        var changes = FolderChanges()
        changes.add(.store(response(1)), of: files[0], resources[0])
        changes.add(.store(response(2)), of: files[0], resources[1])
        changes.addRemoval(of: resources[2])
        #expect(resources.map(changes.willRemove) == [false, false, true])
        #expect(next(&changes) == "2, all")
        #expect(!resources.contains(where: changes.willRemove))
        let first = next(&changes)
        changes.addRemoval(of: resources[2])
        #expect(next(&changes) == "2, all")
        // What a removal replaces is made with it, and not again.
        let last = first == "0, 0=1" ? 1 : 0
        changes.addRemoval(of: resources[last])
        #expect(next(&changes) == "\(last), all")
        #expect(next(&changes) == "nothing")
    }

    @Test("have the newest response that is not written yet, unless it is to be removed")
    func unwritten() throws {
        let target = try TargetURI("https://example.com/")
        let request = NetworkRequest(target: target)
        let key = try #require(CacheKey(request, partition: "ada"))
        let file = FolderChanges.File(partition: key.partition, variant: CacheDigest(["1"]))
        let foreign = FolderChanges.File(partition: CacheDigest(["bob"]), variant: CacheDigest(["1"]))
        let variant = CacheVariant(selection: .named([]), digest: CacheVariant.Selection.named([]).digest(of: [:]))
        func response(_ count: Int) -> StoredResponse {
            StoredResponse(
                head: ResponseHead(statusCode: 200),
                content: Data(count: count),
                times: CacheTimes(requested: 0, received: 0),
                variant: variant,
                ownLifetime: nil
            )
        }
        func count(_ changes: FolderChanges) -> Int? { changes.response(to: request, key)?.content.count }
        var changes = FolderChanges()
        changes.add(.store(response(9)), of: foreign, key.resource)
        #expect(count(changes) == nil)
        changes.add(.store(response(1)), of: file, key.resource)
        #expect(count(changes) == 1)
        _ = changes.begin()
        #expect(count(changes) == 1)
        changes.add(.store(response(2)), of: file, key.resource)
        #expect(count(changes) == 2)
        changes.add(.remove, of: file, key.resource)
        #expect(count(changes) == nil)
        changes.addRemoval(of: key.resource)
        changes.add(.store(response(3)), of: file, key.resource)
        #expect(count(changes) == 3)
        changes.addRemovalOfEverything()
        // What was begun is still being written.
        #expect(count(changes) == nil)
        changes.end()
        #expect(count(changes) == nil)
    }

    @Test("are forgotten with everything, but not those that are being made")
    func everything() {
        var changes = FolderChanges()
        changes.add(.store(response(10)), of: files[0], resources[0])
        let step = changes.begin()
        changes.add(.store(response(10)), of: files[0], resources[1])
        changes.addRemovalOfEverything()
        #expect(changes.contains(resources[2]) && changes.willRemove(resources[2]))
        #expect(words(step) == "0, 0=10")
        #expect(changes.bytes == size(10))
        changes.end()
        // What is stored after it is made after it.
        changes.add(.store(response(3)), of: files[0], resources[1])
        let removal = changes.begin()
        #expect(words(removal) == "everything")
        #expect(changes.contains(resources[2]))
        changes.end()
        #expect(!changes.contains(resources[2]))
        #expect(next(&changes) == "1, 0=3")
        #expect(changes.isEmpty && changes.bytes == 0 && changes.count == 0)
    }

    @Test("are counted rightly after any sequence")
    func counted() {
        var changes = FolderChanges()
        var random = SplitMix(seed: 7)
        for number in 0..<20_000 {
            let (file, resource) = (files[number % 2], resources[Int(random.next() % 3)])
            switch random.next() % 8 {
            case 0: changes.addRemoval(of: resource)
            case 1: changes.add(.remove, of: file, resource)
            case 2: if number.isMultiple(of: 50) { changes.addRemovalOfEverything() }
            case 3, 4: _ = next(&changes)
            default: changes.add(.store(response(number % 50)), of: file, resource)
            }
            #expect(changes.count <= 9 && changes.bytes <= 6 * size(50))
        }
        while !changes.isEmpty { _ = next(&changes) }
        #expect(changes.count == 0 && changes.bytes == 0)
        #expect(!resources.contains { changes.contains($0) })
    }
}
