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
    /// Fails every load on systems without libcurl, where a `Swifty` must be given a transport.
    static var shared: any Transport {
        let reason = "there is no default transport on this system; give one to Swifty(transport:)"
        let error = SwiftyError(.noNetworkInterface, stage: .queue, reason: reason)
        return RefusingTransport(error: error, capabilities: [])
    }

    static func make(_: TransportSettings) -> any Transport { shared }
    #endif
}
