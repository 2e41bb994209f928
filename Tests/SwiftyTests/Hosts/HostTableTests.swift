// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("A rule by host", .timeLimit(.minutes(15)))
struct HostTableTests {
    @Test("applies to every spelling of the host, and to no other host", arguments: HostTable.all)
    func spellings(of table: HostTable) async throws {
        for host in table.hosts {
            for rule in host.spellings {
                for spelling in host.spellings {
                    let counts = try await table.counts(rule, spelling)
                    #expect(counts, "\(table.name): a rule for \(rule), a request to \(spelling)")
                }
                for other in host.others {
                    let counts = try await table.counts(rule, other)
                    #expect(!counts, "\(table.name): a rule for \(rule), a request to \(other)")
                }
            }
        }
    }

    @Test("is neither set nor found by a spelling that parsers read differently", arguments: HostTable.all)
    func refused(by table: HostTable) async throws {
        for spelling in HostSpellings.refused {
            for host in table.hosts {
                await #expect(throws: (any Error).self, "\(table.name): a request to \(spelling)") {
                    try await table.counts(host.normal, spelling)
                }
                if table.skipsNonsense {
                    #expect(try await !table.counts(spelling, host.normal), "\(table.name): a rule for \(spelling)")
                } else {
                    await #expect(throws: (any Error).self, "\(table.name): a rule for \(spelling)") {
                        try await table.counts(spelling, host.normal)
                    }
                }
            }
        }
    }
}
