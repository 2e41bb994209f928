// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The services whose requests are answered by the mocks or the cassette of a running test, anywhere in the process.
///
/// A load of such a service without any scope has most likely lost it: it was begun in a detached task or on the test's
/// own queue. It must not reach the network, where it would change a real account while the test passes. A load that is
/// meant for the network, in a test that runs at the same time, declares that by its own scope.
package enum MockedServices {
    private static let counts = Mutex<[ObjectIdentifier: Int]>([:])
    private static let hasAny = Atomic(false)

    /// Whether this process has ever mocked a service.
    package static var isUsed: Bool { hasAny.load(ordering: .relaxed) }

    static func begin(_ service: ObjectIdentifier) {
        hasAny.store(true, ordering: .relaxed)
        counts.withLock { $0[service, default: 0] += 1 }
    }

    static func end(_ service: ObjectIdentifier) {
        counts.withLock { counts in
            let rest = counts[service, default: 1] - 1
            counts[service] = rest > 0 ? rest : nil
        }
    }

    fileprivate static func contains(_ service: any NamedService.Type) -> Bool {
        isUsed && counts.withLock { $0[ObjectIdentifier(service)] != nil }
    }
}

extension RequestDraft {
    /// The error of a load that would reach the network although a test mocks its service; `nil` for any other load.
    ///
    /// Loads from a server on this machine are allowed: it belongs to a test.
    ///
    /// - Parameter own: The transport of the load's interface.
    package func lostMocksError(insteadOf own: any Transport) -> SwiftyError? {
        guard scope == nil, let service, MockedServices.contains(service), own.capabilities.contains(.network),
            let host = fullTarget?.host, !Self.isLocal(host)
        else { return nil }
        var error = SwiftyError.mockUnavailable(
            """
            a test mocks \(service) now, and this load was begun outside of its block, as in a detached task or on \
            another queue: take NetworkReplacements.current along, and load inside of its apply; a load that is meant \
            for the network belongs into withNetworkInterface(_:for:) with the service's own interface
            """
        )
        error.request = summary
        return error
    }

    private static func isLocal(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
            || host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    }
}
