// swift-tools-version:6.2

import PackageDescription

let package = Package(
    name: "GitHubAPI",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "GitHubAPI", targets: ["GitHubAPI"])],
    dependencies: [.package(name: "swifty", path: "../..")],
    targets: [
        .target(name: "GitHubAPI", dependencies: [.product(name: "Swifty", package: "swifty")]),
        .testTarget(
            name: "GitHubAPITests",
            dependencies: [
                "GitHubAPI",
                .product(name: "Swifty", package: "swifty"),
                .product(name: "SwiftyTestTraits", package: "swifty"),
            ]
        ),
    ]
)
