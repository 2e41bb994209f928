// swift-tools-version:6.2

import PackageDescription

let package = Package(
    name: "swifty",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Swifty", targets: ["Swifty"]),
        .library(name: "WebServiceDSL", targets: ["WebServiceDSL"]),
        .library(name: "SwiftyTransport", targets: ["SwiftyTransport"]),
        .library(name: "SwiftyCurl", targets: ["SwiftyCurl"]),
        .library(name: "SwiftyURLSession", targets: ["SwiftyURLSession"]),
        .library(name: "SwiftyTesting", targets: ["SwiftyTesting"]),
        .library(name: "SwiftyTestTraits", targets: ["SwiftyTestTraits"]),
        .library(name: "SwiftyTestServers", targets: ["SwiftyTestServers"]),
        .library(name: "SwiftyInspector", targets: ["SwiftyInspector"]),
        .library(name: "SwiftyObservability", targets: ["SwiftyObservability"]),
        .library(name: "SwiftyLifecycle", targets: ["SwiftyLifecycle"]),
        .library(name: "SwiftyConfiguration", targets: ["SwiftyConfiguration"]),
        .library(name: "SwiftyConformance", targets: ["SwiftyConformance"]),
        .library(name: "SwiftyCommand", targets: ["SwiftyCommand"]),
        .executable(name: "swifty", targets: ["SwiftyProgram"]),
        .executable(name: "quickstart", targets: ["Quickstart"]),
    ],
    traits: [
        .trait(name: "Brotli", description: "Decodes responses in the coding br; needs libbrotli."),
        .trait(name: "Zstd", description: "Decodes responses in the coding zstd; needs libzstd."),
        // Without its trait, a module is empty, and its libraries are not even resolved; see
        // Docs/Decisions/0009-traits-of-services.md.
        .trait(name: "Observability", description: "Metrics and traces of loads, in SwiftyObservability."),
        .trait(name: "Lifecycle", description: "Runs a Swifty in a ServiceGroup, by SwiftyLifecycle."),
        .trait(name: "Configuration", description: "Reads settings by swift-configuration, in SwiftyConfiguration."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        // Only for the command: a user of `Swifty` does not compile them.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        // Only with a trait: others do not resolve them.
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibcurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
        ),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CBrotli",
            pkgConfig: "libbrotlidec",
            providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]
        ),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .target(name: "CCurl", dependencies: ["CLibcurl"]),
        .target(name: "SwiftySupport"),
        .target(
            name: "SwiftyTransport",
            dependencies: ["SwiftySupport", .product(name: "HTTPTypes", package: "swift-http-types")]
        ),
        .target(name: "WebServiceDSL", dependencies: ["SwiftyTransport", "SwiftySupport"]),
        .target(name: "SwiftyCurl", dependencies: ["SwiftyTransport", "SwiftySupport", "CCurl"]),
        .target(name: "SwiftyURLSession", dependencies: ["WebServiceDSL", "SwiftyTransport", "SwiftySupport"]),
        .target(
            name: "Swifty",
            dependencies: [
                "WebServiceDSL",
                "SwiftySupport",
                "CZlib",
                .target(name: "CBrotli", condition: .when(traits: ["Brotli"])),
                .target(name: "CZstd", condition: .when(traits: ["Zstd"])),
                .target(name: "SwiftyCurl", condition: .when(platforms: [.linux, .macOS])),
                .product(name: "Logging", package: "swift-log"),
            ],
            // The functions of the pipeline run where their caller runs: no hop between them, no frame for one.
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        .target(name: "SwiftyTesting", dependencies: ["Swifty", "SwiftyTransport", "SwiftySupport"]),
        // Apart from SwiftyTesting, which programs link: the testing library is not to be found where they run.
        .target(name: "SwiftyTestTraits", dependencies: ["SwiftyTesting", "WebServiceDSL"]),
        .target(name: "SwiftyTestServers", dependencies: ["SwiftyTransport", "SwiftySupport", "CZlib"]),
        .target(
            name: "SwiftyInspector",
            dependencies: ["Swifty", "SwiftyTransport", "WebServiceDSL", "SwiftyTestServers", "SwiftySupport"]
        ),
        .target(
            name: "SwiftyObservability",
            dependencies: [
                "Swifty", "SwiftySupport", "SwiftyTransport", "WebServiceDSL",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(
                    name: "CoreMetrics",
                    package: "swift-metrics",
                    condition: .when(traits: ["Observability"])
                ),
                .product(
                    name: "Tracing",
                    package: "swift-distributed-tracing",
                    condition: .when(traits: ["Observability"])
                ),
            ]
        ),
        .target(
            name: "SwiftyLifecycle",
            dependencies: [
                "Swifty",
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["Lifecycle"])
                ),
            ]
        ),
        .target(
            name: "SwiftyConfiguration",
            dependencies: [
                "Swifty", "SwiftySupport",
                .target(name: "SwiftyCurl", condition: .when(platforms: [.linux, .macOS])),
                .product(name: "Logging", package: "swift-log"),
                .product(
                    name: "Configuration",
                    package: "swift-configuration",
                    condition: .when(traits: ["Configuration"])
                ),
            ]
        ),
        .target(name: "SwiftyConformance", dependencies: ["SwiftyTestServers", "SwiftyTransport", "SwiftySupport"]),
        .target(
            name: "SwiftyCommand",
            dependencies: [
                "Swifty", "SwiftyCurl", "SwiftyTesting", "SwiftyTestServers", "SwiftySupport", "SwiftyTransport",
                "WebServiceDSL",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ]
        ),
        .executableTarget(name: "SwiftyProgram", dependencies: ["SwiftyCommand"]),
        .executableTarget(name: "Quickstart", dependencies: ["Swifty", "SwiftyTestServers"]),
        .target(
            name: "TestSupport",
            dependencies: ["Swifty", "SwiftyTestServers", "SwiftySupport"],
            path: "Tests/TestSupport"
        ),
        // Killed by a test of SwiftyTests, which finds it beside its own program.
        .executableTarget(name: "DownloadPeer", dependencies: ["Swifty", "WebServiceDSL"], path: "Tests/DownloadPeer"),
        // Ended in many ways by a test of SwiftyCurlTests.
        .executableTarget(
            name: "EndingPeer",
            dependencies: ["SwiftyCurl", "SwiftyTransport"],
            path: "Tests/EndingPeer"
        ),
        // Called by a test of CommandTests.
        .executableTarget(name: "ServicePeer", dependencies: ["SwiftyCommand", "Swifty"], path: "Tests/ServicePeer"),
        .testTarget(name: "SwiftySupportTests", dependencies: ["SwiftySupport", "TestSupport"]),
        .testTarget(name: "SwiftyTransportTests", dependencies: ["SwiftyTransport", "SwiftySupport", "TestSupport"]),
        .testTarget(
            name: "WebServiceDSLTests",
            dependencies: ["WebServiceDSL", "SwiftyTransport", "SwiftySupport", "TestSupport"]
        ),
        .testTarget(
            name: "SwiftyTests",
            dependencies: [
                "Swifty", "SwiftyCurl", "SwiftyTesting", "SwiftyTestServers", "SwiftySupport", "SwiftyTransport",
                "WebServiceDSL", "TestSupport", "DownloadPeer",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "ContentCodingTests",
            dependencies: ["Swifty", "SwiftyTesting", "SwiftyTestServers", "TestSupport"]
        ),
        .testTarget(
            name: "SwiftyTestingTests",
            dependencies: [
                "Swifty", "SwiftyTesting", "SwiftyTestTraits", "SwiftyTestServers", "SwiftySupport", "TestSupport",
            ]
        ),
        .testTarget(
            name: "SwiftyTestServersTests",
            dependencies: ["SwiftyTestServers", "Swifty", "TestSupport"]
        ),
        .testTarget(
            name: "SwiftyInspectorTests",
            dependencies: [
                "SwiftyInspector", "Swifty", "SwiftyTesting", "SwiftyTestServers", "SwiftySupport", "TestSupport",
            ]
        ),
        .testTarget(
            name: "SwiftyObservabilityTests",
            dependencies: [
                "SwiftyObservability", "Swifty", "SwiftyTesting", "SwiftyTestServers", "TestSupport",
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Observability"])),
                .product(
                    name: "MetricsTestKit",
                    package: "swift-metrics",
                    condition: .when(traits: ["Observability"])
                ),
                .product(
                    name: "Tracing",
                    package: "swift-distributed-tracing",
                    condition: .when(traits: ["Observability"])
                ),
                .product(
                    name: "InMemoryTracing",
                    package: "swift-distributed-tracing",
                    condition: .when(traits: ["Observability"])
                ),
            ]
        ),
        .testTarget(
            name: "SwiftyLifecycleTests",
            dependencies: [
                "SwiftyLifecycle", "Swifty", "SwiftyTesting", "SwiftyTestServers", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["Lifecycle"])
                ),
            ]
        ),
        .testTarget(
            name: "SwiftyConfigurationTests",
            dependencies: [
                "SwiftyConfiguration", "Swifty", "SwiftyCurl", "SwiftyTesting", "SwiftyTestServers", "SwiftySupport",
                "TestSupport",
                .product(
                    name: "Configuration",
                    package: "swift-configuration",
                    condition: .when(traits: ["Configuration"])
                ),
            ]
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "SwiftyConformance", "SwiftyTesting", "SwiftyTestServers", "SwiftyCurl", "SwiftyURLSession",
                "SwiftyTransport", "TestSupport",
            ]
        ),
        .testTarget(
            name: "FlipkartSamplesTests",
            dependencies: ["Swifty", "SwiftyTestServers"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "FlipkartDropInTests",
            dependencies: ["Swifty", "SwiftyURLSession", "SwiftyTestServers"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "SwiftyURLSessionTests",
            dependencies: ["Swifty", "SwiftyURLSession", "SwiftyTestServers"]
        ),
        .testTarget(
            name: "CompileTests",
            dependencies: [
                "Swifty", "SwiftyURLSession", "SwiftyTestServers", "SwiftyInspector", "SwiftyConformance",
                "SwiftyTestTraits", "SwiftyCommand", "SwiftyConfiguration", "SwiftyObservability", "SwiftyLifecycle",
                "TestSupport",
            ],
            exclude: ["Prelude.txt"]
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "Swifty", "SwiftyTesting", "SwiftyTestServers", "Quickstart", "SwiftyCommand", "SwiftyProgram",
                "SwiftySupport", "SwiftyTransport", "WebServiceDSL", "TestSupport", "ServicePeer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Process/failing.c"]
        ),
        .testTarget(
            name: "SwiftyCurlTests",
            dependencies: [
                "Swifty", "SwiftyCurl", "CCurl", "SwiftyTransport", "SwiftyTestServers", "SwiftySupport", "TestSupport",
                "EndingPeer",
            ]
        ),
    ]
)

// Set by Scripts/test: `thread` or `address`.
let sanitizer = Context.environment["SWIFTY_SANITIZER"]
// Set by Scripts/test: a contributor's newer compiler may warn about more.
let isStrict = Context.environment["SWIFTY_WARNINGS_AS_ERRORS"] != nil

var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]
// The thread sanitizer has another mutex, see Docs/Decisions/0002-thread-sanitizer.md. It comes from another module
// than the one whose place it takes.
settings.append(
    sanitizer == "thread" ? .define("SWIFTY_THREAD_SANITIZER") : .enableUpcomingFeature("MemberImportVisibility")
)
if isStrict { settings.append(.treatAllWarnings(as: .error)) }

// What is in Swift 5 mode, as code for Flipkart's Swifty was written.
let legacy = ["FlipkartSamplesTests", "FlipkartDropInTests"]
for target in package.targets where target.type != .system && !legacy.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}

// A sanitized build leaves out the tests in which its sanitizer can find nothing: those that run other programs, those
// of pure values for the thread sanitizer, and for the address sanitizer those without memory of their own. Before a
// release, Scripts/check-deep looks for races in the tests of the DSL, the mocks and the test servers, too.
var unsanitized: Set = [
    "SwiftyCommand", "SwiftyProgram", "ServicePeer", "Quickstart", "CommandTests", "CompileTests",
    "FlipkartSamplesTests", "FlipkartDropInTests", "SwiftySupportTests", "SwiftyTransportTests",
]
if Context.environment["SWIFTY_DEEP"] == nil {
    unsanitized.formUnion(["SwiftyTestingTests", "SwiftyTestServersTests", "WebServiceDSLTests"])
}
if sanitizer == "address" { unsanitized.formUnion(["ConformanceTests", "SwiftyTests", "DownloadPeer"]) }
if sanitizer != nil {
    package.targets.removeAll { unsanitized.contains($0.name) }
    package.products.removeAll { ["swifty", "quickstart", "SwiftyCommand"].contains($0.name) }
}
