// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty

/// What a response may be like, and where it comes from.
struct ResponseOptions: ParsableArguments {
    @Flag(help: "Leave compressed content as it is, and do not ask for it.")
    var noDecode = false

    @Option(help: ArgumentHelp("How much content a response may have: 500, 64K, 20M, 2G.", valueName: "BYTES"))
    var maxBody: ByteCount?

    @Flag(help: "Whether responses that break HTTP's rules fail, or are taken as most clients do.")
    var strictness = Strictness.strict

    @Option(
        help: ArgumentHelp("Answer with the content of a file, without the network.", valueName: "FILE"),
        completion: .file()
    )
    var mock: String?

    enum Strictness: String, EnumerableFlag {
        case strict
        case lenient
    }
}

extension ResponseOptions {
    func apply(to configuration: inout Swifty.Configuration, savesContent: Bool) {
        if noDecode { configuration.contentDecoding = .off }
        if let limit = limit(savesContent) { configuration.contentDecoding.maximumBytes = limit }
    }

    func apply(to rules: inout TransportSettings.Responses, savesContent: Bool) {
        if strictness == .lenient { rules.strictness = .lenient }
        if let limit = limit(savesContent) { rules.bodyLimit = limit }
    }

    private func limit(_ savesContent: Bool) -> Int? {
        maxBody?.value ?? (savesContent ? Self.savedLimit : nil)
    }

    func apply(to resource: NetworkResource) {
        if let mock { resource.mock(file: AbsolutePath.of(mock)) }
    }

    /// What is saved may be large; it is held in memory all the same.
    private static let savedLimit = 1 << 30
}

/// A number of bytes, with K, M or G for 1024, 1024² or 1024³ of them.
struct ByteCount: ExpressibleByArgument, Equatable {
    let value: Int

    init?(argument: String) {
        let factors: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let factor = argument.uppercased().last.flatMap { factors[$0] }
        guard let number = Int(factor == nil ? argument : String(argument.dropLast())), number > 0 else { return nil }
        let (value, overflow) = number.multipliedReportingOverflow(by: factor ?? 1)
        if overflow { return nil }
        self.value = value
    }
}

/// Paths as the shell means them.
enum AbsolutePath {
    static func of(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }
}
