// swift-tools-version:6.2

import PackageDescription

// A package of its own: a user of Swifty does not compile it. It is built with `-enable-testing`, see Scripts/simulate.
let package = Package(
    name: "simulation",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "simulate", targets: ["simulate"])
    ],
    dependencies: [
        .package(name: "swifty", path: "../..")
    ],
    targets: [
        // The clock, the random numbers and the queue of tasks of the process, under the simulation's control.
        .target(name: "CSimulation"),
        .target(name: "SimulationCore", dependencies: ["CSimulation"]),
        .target(
            name: "TransportSimulation",
            dependencies: [
                "SimulationCore", "CSimulation",
                .product(name: "SwiftyCurl", package: "swifty"),
                .product(name: "SwiftyTransport", package: "swifty"),
            ]
        ),
        .target(
            name: "PipelineSimulation",
            dependencies: [
                "SimulationCore",
                .product(name: "Swifty", package: "swifty"),
                .product(name: "WebServiceDSL", package: "swifty"),
                .product(name: "SwiftyTransport", package: "swifty"),
            ]
        ),
        .executableTarget(
            name: "simulate",
            dependencies: ["SimulationCore", "TransportSimulation", "PipelineSimulation"]
        ),
    ]
)

// Set by Scripts/test: a contributor's newer compiler may warn about more.
let isStrict = Context.environment["SWIFTY_WARNINGS_AS_ERRORS"] != nil

for target in package.targets where target.name != "CSimulation" {
    var settings: [SwiftSetting] = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        // One thread plays all histories.
        .unsafeFlags(["-enforce-exclusivity=unchecked"]),
    ]
    if isStrict { settings.append(.treatAllWarnings(as: .error)) }
    target.swiftSettings = settings
}
