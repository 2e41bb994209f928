// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty
import SwiftySupport

/// The limits and rules for a response, and its source.
struct ResponseOptions: ParsableArguments {
    @Flag(help: "Do not request compressed content, and do not decode it.")
    var noDecode = false

    @Option(help: ArgumentHelp("The maximum size of a response's content: 500, 64K, 20M, 2G.", valueName: "BYTES"))
    var maxBody: ByteCount?

    @Flag(help: "Whether responses that break HTTP's rules fail, or are accepted as by most clients.")
    var strictness = Strictness.strict

    @Option(
        help: ArgumentHelp("Use the content of a file as the response, without the network.", valueName: "FILE"),
        completion: .file()
    )
    var mock: String?

    enum Strictness: String, EnumerableFlag {
        case strict
        case lenient
    }
}

extension ResponseOptions {
    func apply(to configuration: inout Swifty.Configuration) {
        if noDecode { configuration.contentDecoding = .off }
        if let limit = maxBody?.value { configuration.contentDecoding.maximumBytes = limit }
    }

    func apply(to rules: inout TransportSettings.Responses) {
        if strictness == .lenient { rules.strictness = .lenient }
        if let limit = maxBody?.value { rules.contentLimit = limit }
    }

    func apply(to resource: NetworkResource) {
        if let mock { resource.mock(file: AbsolutePath.of(mock)) }
    }
}

/// A number of bytes; K, M and G stand for factors of 1024, 1024² and 1024³.
struct ByteCount: ExpressibleByArgument, Equatable {
    let value: Int

    init?(argument: String) {
        guard let value = ByteCountText.value(of: argument) else { return nil }
        self.value = value
    }
}

/// Paths relative to the current directory, as in a shell.
enum AbsolutePath {
    static func of(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }
}
