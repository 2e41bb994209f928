// swift-tools-version:6.2

import PackageDescription

// A package of its own: a user of Swifty neither resolves nor compiles SwiftNIO.
let package = Package(
    name: "swifty-async-http-client",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "SwiftyAsyncHTTPClient", targets: ["SwiftyAsyncHTTPClient"])
    ],
    dependencies: [
        .package(name: "swifty", path: "../.."),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        // Older ones send line breaks in a target, and read heads of any size.
        .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
    ],
    targets: [
        .target(
            name: "SwiftyAsyncHTTPClient",
            dependencies: [
                .product(name: "SwiftyTransport", package: "swifty"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .testTarget(
            name: "SwiftyAsyncHTTPClientTests",
            dependencies: [
                "SwiftyAsyncHTTPClient",
                .product(name: "SwiftyConformance", package: "swifty"),
                .product(name: "SwiftyTransport", package: "swifty"),
                .product(name: "SwiftyTestServers", package: "swifty"),
            ]
        ),
    ]
)

// Set by Scripts/test: a contributor's newer compiler may warn about more.
let isStrict = Context.environment["SWIFTY_WARNINGS_AS_ERRORS"] != nil

for target in package.targets {
    var settings: [SwiftSetting] = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    if isStrict { settings.append(.treatAllWarnings(as: .error)) }
    target.swiftSettings = settings
}
