// swift-tools-version:6.2

import PackageDescription

// A package of its own, so that nobody resolves an opponent to use the library.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "guards", targets: ["Guards"]),
    ],
    dependencies: [
        .package(name: "swifty", path: ".."),
    ],
    targets: [
        .target(name: "CAllocations"),
        .target(name: "CServer"),
        .target(name: "BenchmarkKit", dependencies: ["CServer", .product(name: "Swifty", package: "swifty")]),
        // Depends on no opponent, so that CI builds it in little time.
        .executableTarget(
            name: "Guards",
            dependencies: ["BenchmarkKit", "CAllocations", .product(name: "Swifty", package: "swifty")]
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
