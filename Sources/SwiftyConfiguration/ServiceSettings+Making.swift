// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Swifty

#if canImport(SwiftyCurl)
import SwiftyCurl
#endif

extension Swifty {
    /// Makes an instance over the shared transport, or over its own if the settings of the transport are others.
    convenience init(_ settings: ServiceSettings) {
        #if canImport(SwiftyCurl)
        if settings.transport == CurlTransport.Configuration() {
            self.init(configuration: settings.configuration)
        } else {
            self.init(
                configuration: settings.configuration,
                transport: CurlTransport(configuration: settings.transport)
            )
        }
        #else
        self.init(configuration: settings.configuration, transport: settings.transport)
        #endif
    }
}
#endif
