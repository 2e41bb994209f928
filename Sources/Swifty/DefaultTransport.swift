// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftyCurl)
import SwiftyCurl
#endif

/// The transports of instances that were not given one.
enum DefaultTransport {
    #if canImport(SwiftyCurl)
    static var shared: any Transport { CurlTransport.shared }

    static func make(_ settings: TransportSettings) -> any Transport {
        var configuration = CurlTransport.Configuration()
        configuration.settings = settings
        return CurlTransport(configuration: configuration)
    }
    #else
    static var shared: any Transport { MissingTransport() }

    static func make(_: TransportSettings) -> any Transport { shared }
    #endif
}

#if !canImport(SwiftyCurl)
/// Fails every load on systems without libcurl, where a `Swifty` must be given a transport.
private struct MissingTransport: Transport {
    func send(_: NetworkRequest, cancellation _: LoadCancellation) async throws(SwiftyError) -> TransportResponse {
        throw SwiftyError(
            .noNetworkInterface,
            stage: .queue,
            reason: "there is no default transport on this system; give one to Swifty(transport:)"
        )
    }

    func shutdown() async {}
}
#endif
