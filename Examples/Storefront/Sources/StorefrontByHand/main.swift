// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Configuration
import Hummingbird
import StorefrontProcess

let process = StorefrontProcess(ConfigReader(provider: EnvironmentVariablesProvider()))
let addresses = process.addresses
let client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup)
let router = HandRouter(
    inventory: HandClient(client: client, tokens: HandTokens(client, url: addresses.token)),
    inventoryURL: addresses.inventory,
    prices: HandClient(client: client, tokens: nil),
    pricesURL: addresses.prices
)
let server = Application(
    router: router.makeRouter(),
    configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: process.settings.port)),
    logger: process.logger
)
try await process.run([server])
try await client.shutdown().get()
