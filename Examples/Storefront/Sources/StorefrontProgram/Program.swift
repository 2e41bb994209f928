// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Configuration
import Foundation
import Storefront
import StorefrontProcess
import SwiftyConfiguration

@main
enum Program {
    static func main() async throws {
        let config = ConfigReader(provider: EnvironmentVariablesProvider())
        let process = StorefrontProcess(config)
        let upstreams: Upstreams
        do {
            upstreams = try Upstreams(
                at: process.addresses,
                reading: config,
                unknownKeys: .refused(in: .environment),
                logger: process.logger
            )
        } catch let error as Swifty.SettingsError {
            process.logger.critical("\(error)")
            exit(1)
        }
        let storefront = StorefrontService(
            upstreams,
            metrics: process.metrics,
            port: process.settings.port,
            after: process.waitForUpstreams,
            logger: process.logger
        )
        try await process.run(storefront.services)

        let loads = upstreams.swifty.statistics
        process.logger.info("The storefront has ended: \(loads.succeeded) loads succeeded, \(loads.failed) failed.")
    }
}
