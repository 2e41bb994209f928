// swift-tools-version:6.2

import PackageDescription

let asyncHTTPClient: [Target.Dependency] = [
    .product(name: "AsyncHTTPClient", package: "async-http-client"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOSSL", package: "swift-nio-ssl"),
]

// A package of its own, so that users of the library do not resolve the other clients.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "benchmarks", targets: ["Benchmarks"]),
        .executable(name: "guards", targets: ["Guards"]),
        .executable(name: "cold-start-swifty", targets: ["ColdStartSwifty"]),
        .executable(name: "cold-start-async-http-client", targets: ["ColdStartAsyncHTTPClient"]),
        .executable(name: "cold-start-floor", targets: ["ColdStartFloor"]),
        // Preloaded in short runs of their own, so that no measured time contains the counting.
        .library(name: "AllocationCounter", type: .dynamic, targets: ["CAllocations"]),
    ],
    dependencies: [
        .package(name: "swifty", path: "..", traits: ["Observability"]),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.29.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .target(name: "CAllocations"),
        .target(name: "CPace"),
        .target(name: "CServer"),
        .target(name: "CFloor", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "BenchmarkKit", dependencies: ["CServer", .product(name: "Swifty", package: "swifty")]),
        .target(
            name: "ObservationKit",
            dependencies: [
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
        // Depends on no other client, so that CI builds it in little time.
        .executableTarget(
            name: "Guards",
            dependencies: [
                "BenchmarkKit", "ObservationKit", "CAllocations",
                .product(name: "Swifty", package: "swifty"),
                .product(name: "SwiftyObservability", package: "swifty"),
            ]
        ),
        // One for each client, so that none of them links another.
        .executableTarget(name: "ColdStartFloor", dependencies: ["CFloor"]),
        .executableTarget(name: "ColdStartSwifty", dependencies: [.product(name: "Swifty", package: "swifty")]),
        .executableTarget(
            name: "ColdStartAsyncHTTPClient",
            dependencies: asyncHTTPClient
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "BenchmarkKit", "ObservationKit", "CFloor", "CPace",
                .product(name: "Swifty", package: "swifty"),
                .product(name: "SwiftyObservability", package: "swifty"),
                .product(name: "SwiftyCurl", package: "swifty"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ] + asyncHTTPClient
        ),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
