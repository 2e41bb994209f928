// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Swifty

@Suite("The changes of a cache's directory", .timeLimit(.minutes(15)))
struct FolderChangesTests {
    private let resources = ["a", "b"].map { CacheDigest([$0]) }
    private let files = ["1", "2"].map {
        FolderChanges.File(partition: CacheDigest(["user"]), variant: CacheDigest([$0]))
    }

    /// Changes that an expectation may change.
    private final class Place {
        var changes = FolderChanges()

        func add(_ change: FolderChanges.Change, of file: FolderChanges.File, _ resource: CacheDigest) -> Bool {
            changes.add(change, of: file, resource)
        }

        func addRemoval(of resource: CacheDigest) -> Bool { changes.addRemoval(of: resource) }

        func begin(_ resource: CacheDigest) -> FolderChanges.Batch? { changes.begin(resource) }
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

    /// A batch in words: what becomes of each file.
    private func words(_ batch: FolderChanges.Batch?) -> [String] {
        guard let batch else { return ["none"] }
        var words = batch.removesAll ? ["all"] : []
        for (index, file) in files.enumerated() {
            switch batch.files[file] {
            case .store(let response): words.append("\(index) \(response.content.count)")
            case .remove: words.append("\(index) removed")
            case nil: break
            }
        }
        return words
    }

    @Test("are scheduled once for a resource until they begin, and the last one counts")
    func replaced() {
        let place = Place()
        #expect(place.add(.store(response(10)), of: files[0], resources[0]))
        #expect(!place.add(.store(response(20)), of: files[0], resources[0]))
        #expect(!place.add(.remove, of: files[1], resources[0]))
        #expect(place.add(.remove, of: files[0], resources[1]))
        #expect(place.changes.count == 2)
        #expect(place.changes.bytes == size(20))
        #expect(words(place.begin(resources[0])) == ["0 20", "1 removed"])
        #expect(place.changes.contains(resources[0]))
        // Again, while those before are made.
        #expect(place.add(.store(response(5)), of: files[0], resources[0]))
        place.changes.end()
        #expect(place.changes.contains(resources[0]))
        #expect(place.changes.bytes == size(5))
        #expect(words(place.begin(resources[0])) == ["0 5"])
        place.changes.end()
        #expect(!place.changes.contains(resources[0]))
        #expect(place.changes.contains(resources[1]))
        #expect(place.changes.bytes == 0)
    }

    @Test("of a resource that is removed are forgotten, and those after its removal are made after it")
    func removal() {
        let place = Place()
        #expect(place.add(.store(response(10)), of: files[0], resources[0]))
        #expect(!place.addRemoval(of: resources[0]))
        #expect(place.changes.bytes == 0)
        #expect(!place.add(.store(response(7)), of: files[1], resources[0]))
        #expect(words(place.begin(resources[0])) == ["all", "1 7"])
        #expect(place.addRemoval(of: resources[0]))
        #expect(place.changes.bytes == size(7))
        place.changes.end()
        #expect(place.changes.bytes == 0)
        #expect(words(place.begin(resources[0])) == ["all"])
    }

    @Test("are forgotten with everything, but not those that are being made")
    func everything() {
        let place = Place()
        _ = place.add(.store(response(10)), of: files[0], resources[0])
        _ = place.add(.store(response(10)), of: files[0], resources[1])
        _ = place.begin(resources[0])
        place.changes.removeAll()
        #expect(place.changes.contains(resources[0]))
        #expect(!place.changes.contains(resources[1]))
        #expect(place.begin(resources[1]) == nil)
        #expect(place.changes.bytes == size(10))
        place.changes.end()
        #expect(place.changes.bytes == 0)
    }

    @Test("are as many as the files, however often these change")
    func bounded() {
        let place = Place()
        for number in 0..<10_000 {
            _ = place.add(.store(response(number % 50)), of: files[number % 2], resources[number % 2])
            if number.isMultiple(of: 7) { _ = place.addRemoval(of: resources[0]) }
        }
        #expect(place.changes.count == 2)
        #expect(place.changes.bytes < 2 * size(50))
    }
}
