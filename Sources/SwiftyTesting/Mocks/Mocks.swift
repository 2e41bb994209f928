// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Swifty

/// The way in which mocks replace the network.
public struct MockPolicy: Sendable {
    /// Which mocks must answer a request by the end of the block.
    public enum Requirement: Sendable {
        /// None.
        case nothing
        /// Those that are given in code.
        case patterns
        /// Those that are given in code, and the files of the service's folder.
        case everything
    }

    /// Whether the request interceptors of the service's network interface run, as they do before a real request.
    /// `false` by default, as for `mock(file:)`.
    public var runsRequestInterceptors = false
    /// Whether the requests of other services are sent. `false` by default: they fail.
    public var allowsOtherServices = false
    /// The mocks that the block must use; ``Requirement/nothing`` by default.
    public var requires = Requirement.nothing
    /// The folder of the service's mock files. `nil`, the default, means the folder with the service's name in the
    /// folders of mock files, such as `Mocks/GitHub`.
    public var folder: String?

    /// Makes the default policy.
    public init() {}
}

/// An error of ``withMocks(for:_:policy:callerFile:_:)``: the block has not used all mocks that it must.
public struct UnusedMocksError: Error, CustomStringConvertible {
    /// The mocks, as they are written in code, and the paths of files.
    public let mocks: [String]

    /// The mocks on one line.
    public var description: String {
        "\(mocks.count == 1 ? "this mock" : "these mocks") answered no request: \(mocks.joined(separator: ", "))"
    }
}

/// Runs a block in which mocks answer the requests of a service; nothing is sent.
///
///     try await withMocks(for: GitHub.self, [.get("users/{user}/repos"): .sequence(.status(503), .file("a.json"))]) {
///         let repositories = try await GitHub.repositories(of: "apple").load()
///     }
///
/// The mocks given here are asked first, in their order; then those of a block around this one; then the files in the
/// service's folder (`Mocks/GitHub/repositories.json`, `Mocks/GitHub/users/{user}/repos.GET.http`). A resource's own
/// `mock(file:)` takes precedence over all of them. A request without a mock fails with
/// ``SwiftyError/Code/mockUnavailable``, which names the nearest mocks and what differs.
///
/// Everything else is real: constraints, retries, redirects, response interceptors, decoding, streams and metrics. The
/// mocks apply to the loads of this block, of its child tasks and of the tasks that it starts; other tests that run at
/// the same time do not see them.
///
/// - Parameters:
///   - service: The service: the type of a `WebService`, or of a `WebServiceClient`, whose values have the same mocks.
///   - mocks: The answers.
///   - policy: See ``MockPolicy``.
///   - callerFile: The calling source file, filled in by the compiler; the `Mocks` folder of its package is one of the
///     places of mock files.
///   - body: The block, which runs on the caller's actor.
/// - Returns: The result of the block.
/// - Throws: The error of the block; ``UnusedMocksError`` if it has not used what the policy requires.
@discardableResult
public nonisolated(nonsending) func withMocks<Service: NamedService, Result>(
    for service: Service.Type,
    _ mocks: KeyValuePairs<MockPattern, MockAnswer> = [:],
    policy: MockPolicy = MockPolicy(),
    callerFile: String = #filePath,
    _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
    try await withMocks(for: service, mocks, policy: policy, tally: MockTally(), callerFile: callerFile, body)
}

/// The same, with mocks shared with other blocks.
///
/// - Parameter tally: Records which mocks were used in all of them.
package nonisolated(nonsending) func withMocks<Service: NamedService, Result>(
    for service: Service.Type,
    _ mocks: KeyValuePairs<MockPattern, MockAnswer>,
    policy: MockPolicy,
    tally: MockTally,
    callerFile: String,
    _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
    let directory = (service as? any WebService.Type)?.networkInterface.mockDirectory
    let outer = MockSession.around(service)
    // A folder that a block around this one has chosen still applies.
    let inherits = policy.folder == nil && outer?.service.map { $0 == service } ?? false && outer?.nearestFolder != nil
    let folder =
        try policy.folder.map { path throws(SwiftyError) in try MockFolder.read(path) }
        ?? (inherits ? nil : .find("\(service)", directory, callerFile: callerFile))
    let session = MockSession(
        service: service,
        mocks,
        folder: folder,
        directory: directory,
        callerFile: callerFile,
        outer: outer,
        tally: tally
    )
    let transport = ScopedTransport(
        runsRequestInterceptors: policy.runsRequestInterceptors || MockSession.runsRequestInterceptors(of: service),
        isForTests: true,
        mocks: session
    ) { draft, clock, _ in MockTransport(session, draft: draft, clock: clock) }
    let covers = !policy.allowsOtherServices
    let result = try await NetworkScope.with(.transport(transport), for: service, coversOthers: covers, body)
    guard policy.requires != .nothing else { return result }
    let unused = session.unused(includingFiles: policy.requires == .everything)
    if !unused.isEmpty { throw UnusedMocksError(mocks: unused) }
    return result
}

extension NamedService {
    /// The requests of this service that the mocks of the current block have answered, in their order.
    ///
    ///     #expect(try GitHub.sent().last?.query["sort"] == "pushed")
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` outside of ``withMocks(for:_:policy:callerFile:_:)``.
    public static func sent() throws(SwiftyError) -> [MockedRequest] {
        guard let session = MockSession.current(for: self) else {
            throw .mockUnavailable("\(self) is not mocked here: sent() must be called inside of withMocks")
        }
        return session.requests.filter { request in request.service.map { $0 == self } ?? false }
    }
}

extension MockSession {
    /// The mocks around a new block for a service: its own, or else those that apply to all other services.
    static func around(_ service: any NamedService.Type) -> MockSession? {
        transport(of: service)?.mocks as? MockSession
    }

    /// Whether mocks of a service around a new block let the request interceptors run.
    static func runsRequestInterceptors(of service: any NamedService.Type) -> Bool {
        current(for: service) != nil && transport(of: service)?.runsRequestInterceptors == true
    }

    /// The mocks of a service in the current task; `nil` if there are none.
    static func current(for service: any NamedService.Type) -> MockSession? {
        guard let session = around(service), session.service.map({ $0 == service }) ?? false else { return nil }
        return session
    }

    private static func transport(of service: any NamedService.Type) -> ScopedTransport? {
        guard case .transport(let transport)? = NetworkScope.current?.replacement(for: service) else { return nil }
        return transport
    }
}
