// swift-tools-version:6.2

import PackageDescription

// A package of its own: a user of Swifty neither resolves nor compiles XMLCoder.
let package = Package(
    name: "swifty-xml",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "SwiftyXML", targets: ["SwiftyXML"])
    ],
    dependencies: [
        .package(name: "swifty", path: "../.."),
        .package(url: "https://github.com/CoreOffice/XMLCoder", from: "0.18.0"),
    ],
    targets: [
        .target(
            name: "SwiftyXML",
            dependencies: [
                .product(name: "WebServiceDSL", package: "swifty"),
                .product(name: "XMLCoder", package: "XMLCoder"),
            ]
        ),
        .testTarget(
            name: "SwiftyXMLTests",
            dependencies: ["SwiftyXML", .product(name: "Swifty", package: "swifty")]
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
