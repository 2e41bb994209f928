// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

@_exported public import SwiftyTesting
public import Testing

public import protocol WebServiceDSL.NamedService

/// A trait of tests in which mocks answer the requests of a service; see ``mocked(_:_:policy:callerFile:)``.
public struct MockedTrait<Service: NamedService>: TestTrait, SuiteTrait, TestScoping {
    /// Each test has its own mocks.
    public var isRecursive: Bool { true }

    private let mocks: KeyValuePairs<MockPattern, MockAnswer>
    private let policy: MockPolicy
    private let callerFile: String
    /// Records which mocks were used in all tests of a suite.
    private let tally = MockTally()

    init(_ mocks: KeyValuePairs<MockPattern, MockAnswer>, _ policy: MockPolicy, _ callerFile: String) {
        (self.mocks, self.policy, self.callerFile) = (mocks, policy, callerFile)
    }

    /// Also provides the scope of a suite: what the suite requires is checked at its end.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> MockedTrait? {
        testCase == nil && !(test.isSuite && policy.requires != .nothing) ? nil : self
    }

    /// Runs a test, or a whole suite, with the mocks.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        var (policy, services) = (policy, MockPolicy.requiringServices)
        // Within a suite, the requirements are checked at its end.
        let isInside = services.contains(ObjectIdentifier(Service.self))
        if isInside { policy.requires = .nothing }
        if test.isSuite { services.insert(ObjectIdentifier(Service.self)) }
        let tally = isInside || test.isSuite ? tally : MockTally()
        try await MockPolicy.$requiringServices.withValue(services) {
            try await withMocks(
                for: Service.self,
                mocks,
                policy: policy,
                tally: tally,
                callerFile: callerFile,
                function
            )
        }
    }
}

extension MockPolicy {
    /// The services whose mocks the end of a suite around the current test checks.
    @TaskLocal fileprivate static var requiringServices: Set<ObjectIdentifier> = []
}

extension Trait {
    /// Lets mocks answer the requests of a service in a test, or in each test of a suite.
    ///
    ///     @Suite(.mocked(GitHub.self))                          // Mocks/GitHub/…
    ///     @Test(.mocked(GitHub.self, [.get("status"): .status(503)]))
    ///
    /// The parameters are those of `withMocks`. A suite with ``MockPolicy/requires`` fails if all of its tests
    /// together have not used what it requires; a single test, if it has not.
    public static func mocked<Service: NamedService>(
        _ service: Service.Type,
        _ mocks: KeyValuePairs<MockPattern, MockAnswer> = [:],
        policy: MockPolicy = MockPolicy(),
        callerFile: String = #filePath
    ) -> Self where Self == MockedTrait<Service> {
        MockedTrait(mocks, policy, callerFile)
    }
}
