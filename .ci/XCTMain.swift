// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

/// The program of all tests in `.ci/run`, which copies it to where the package manager finds it under this name.
///
/// The package manager's own program also looks for tests of XCTest, of which there are none, and needs an index of the
/// sources for that; writing one takes a seventh of a build.
@main
struct XCTMain {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
