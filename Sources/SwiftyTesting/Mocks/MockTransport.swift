// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Swifty
import SwiftySupport
import Synchronization

/// A transport whose responses are mocks, for a whole `Swifty`.
///
///     let mocks = MockTransport([.get("status"): .status(204), .post("gists"): .file("gist.http")])
///     let swifty = Swifty(transport: mocks)
///
/// A request without a mock fails with ``SwiftyError/Code/mockUnavailable`` and names the nearest ones. In a test of a
/// ``WebService``, ``withMocks(for:_:policy:callerFile:_:)`` replaces the transport of the service for a block.
public final class MockTransport: Transport {
    private let session: MockSession
    /// The description of the load that the transport serves; `nil` if it serves all.
    private let draft: RequestDraft?
    private let clock: any Clock<Duration>
    /// The reason why nothing can be answered.
    private let failure: SwiftyError?
    private let isShutDown = Atomic(false)

    /// Makes a transport of mocks.
    ///
    /// - Parameters:
    ///   - mocks: The answers; of several that match a request, the first counts.
    ///   - folder: A folder with mock files that belong to requests by their names, as in `Mocks/GitHub`. If it does
    ///     not exist, every request fails with ``SwiftyError/Code/mockUnavailable``.
    ///   - clock: The clock of latencies and rates.
    ///   - callerFile: The calling source file, filled in by the compiler.
    public init(
        _ mocks: KeyValuePairs<MockPattern, MockAnswer>,
        folder: String? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        callerFile: String = #filePath
    ) {
        // The files are read later, when the process may have another current folder.
        let folder = folder.map { FilePlace.absolute($0) }
        let files = folder.map { path in Result { () throws(SwiftyError) in try MockFolder.read(path) } }
        session = MockSession(
            service: nil,
            mocks,
            folder: try? files?.get(),
            directory: folder,
            callerFile: callerFile
        )
        failure = if case .failure(let error)? = files { error } else { nil }
        draft = nil
        self.clock = clock
    }

    init(_ session: MockSession, draft: RequestDraft, clock: any Clock<Duration>) {
        (self.session, self.draft, self.clock) = (session, draft, clock)
        failure = nil
    }

    /// Mocks see the unchanged request, and also where it would connect to.
    public var capabilities: TransportCapabilities { [.exactRequests, .reroutes] }

    /// The requests that were answered, in their order.
    public var requests: [MockedRequest] { session.requests }

    /// The mocks that have answered no request, as they are written in code, and files by their paths.
    public var unused: [String] { session.unused(includingFiles: true) }

    /// Answers a request with the whole content.
    public func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        try await stream(request, cancellation: cancellation).collect()
    }

    /// Answers a request; the content is read from the result.
    public func stream(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> StreamedResponse {
        if isShutDown.load(ordering: .relaxed) {
            throw SwiftyError(.shutdown, stage: .queue, reason: "the transport was shut down")
        }
        if let failure { throw failure }
        let request = try await request.collectingContent(clock, cancellation)
        let mocked = draft.map { MockedRequest(request, of: $0) } ?? MockedRequest(request)
        let (session, values) = (session, draft?.mockValues ?? mocked.values)
        // The closure of a mock may wait for ever.
        let response = try await endingEarly(cancellation) { () async throws(SwiftyError) in
            try await session.answer(to: mocked, values)
        }
        return try await MockExchange(response, to: request, clock: clock).begin(cancellation)
    }

    /// Refuses all later requests.
    public func shutdown() async {
        isShutDown.store(true, ordering: .relaxed)
    }
}
