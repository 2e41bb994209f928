// swift-tools-version:6.2

import PackageDescription

let package = Package(
    name: "Storefront",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Storefront", targets: ["Storefront"]),
        .executable(name: "storefront", targets: ["StorefrontProgram"]),
        .executable(name: "storefront-by-hand", targets: ["StorefrontByHand"]),
    ],
    dependencies: [
        .package(name: "swifty", path: "../..", traits: ["Observability", "Lifecycle", "Configuration"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        // For the comparison with a service that does the same by hand.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.26.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        .target(
            name: "Storefront",
            dependencies: [
                .product(name: "Swifty", package: "swifty"),
                .product(name: "SwiftyObservability", package: "swifty"),
                .product(name: "SwiftyLifecycle", package: "swifty"),
                .product(name: "SwiftyConfiguration", package: "swifty"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .target(
            name: "StorefrontUpstreams",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .target(
            name: "StorefrontProcess",
            dependencies: [
                "Storefront", "StorefrontUpstreams",
                .product(name: "SwiftyObservability", package: "swifty"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "StorefrontProgram",
            dependencies: [
                "Storefront", "StorefrontProcess",
                .product(name: "Swifty", package: "swifty"),
                .product(name: "SwiftyConfiguration", package: "swifty"),
                .product(name: "Configuration", package: "swift-configuration"),
            ]
        ),
        .executableTarget(
            name: "StorefrontByHand",
            dependencies: [
                "StorefrontProcess",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ]
        ),
        .testTarget(
            name: "StorefrontTests",
            dependencies: [
                "Storefront", "StorefrontUpstreams",
                .product(name: "Swifty", package: "swifty"),
                .product(name: "SwiftyObservability", package: "swifty"),
                .product(name: "SwiftyTestTraits", package: "swifty"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
