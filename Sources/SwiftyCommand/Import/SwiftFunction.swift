// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// Writes the request of a curl command as a service with one function.
struct SwiftFunction {
    let arguments: CURLArguments
    private let target: TargetURI

    /// - Parameter words: The words of the command.
    /// - Throws: ``UsageError`` if the command, its URL or its content cannot be used.
    init(_ words: [String]) throws(UsageError) {
        try self.init(UsageError.wrapping { () throws(CURLError) in try CURLArguments(words) })
    }

    init(_ arguments: CURLArguments) throws(UsageError) {
        self.arguments = arguments
        if UndecodedBytes.areIn(arguments.content.text ?? "") {
            throw UsageError("The content is not text.", hint: "Write it to a file: --data-binary @FILE.")
        }
        do {
            target = try TargetURI(URLShorthand.expand(arguments.completeURL.text))
        } catch {
            throw UsageError("The URL of the curl command cannot be used: \(error.reason).")
        }
    }

    var text: String {
        """
        import Swifty

        final class \(serviceName): WebService {
            static let serverURL = \(Self.literal(target.origin))
            static let networkInterface: any NetworkInterface = Swifty()

            static func \(functionName)() -> \(resourceType) {
                \(([start] + modifiers).joined(separator: "\n            "))
            }
        }

        """ + notes + loadingNote
    }

    private var notes: String {
        // One line each, whatever the values contain.
        arguments.notes.map { "// On the Swifty, not on the request: \(VisibleText.line($0))\n" }.joined()
    }

    /// The call that handles the content as the command does; empty if that is `load()`.
    private var loadingNote: String {
        let function = "try await \(serviceName).\(functionName)()"
        if let output = arguments.output, method != "HEAD" {
            return "// Into a file; another call goes on: \(function).download(to: \(Self.literal(output)))\n"
        }
        return arguments.isUnbuffered ? "// As it arrives: for try await part in \(function).stream() { … }\n" : ""
    }

    private var method: String { arguments.methodText.uppercased() }

    private var hasContent: Bool { arguments.content.isSent }

    /// The methods with functions of their names.
    private static let functions: Set<String> = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]

    private var resourceType: String {
        isWithoutContent ? "NetworkResourceWithoutBody" : "NetworkResourceWithBody"
    }

    private var isWithoutContent: Bool { ["GET", "HEAD", "OPTIONS"].contains(method) && !hasContent }

    /// `server.get("users/7")`: braces in the path are variables there, so they are encoded.
    private var start: String {
        let path = target.path.drop { $0 == "/" }.replacing("{", with: "%7B").replacing("}", with: "%7D")
        let argument = path.isEmpty ? "" : Self.literal(path)
        let isUnusual = hasContent && ["GET", "OPTIONS"].contains(method)
        guard Self.functions.contains(method), !isUnusual else {
            return "server.request(\(Self.literal(method))\(path.isEmpty ? "" : ", \(argument)"))"
        }
        return "server.\(method.lowercased())(\(argument))"
    }
}

extension SwiftFunction {
    private var modifiers: [String] { query + headers + credentials + content + removals + limits }

    /// Placed after the content, which sets its type.
    private var removals: [String] {
        arguments.removedHeaders.map { ".removeHeader(\(Self.literal($0)))" }
    }

    private var query: [String] {
        let inURL = target.query.map { [$0] } ?? []
        let pairs = (inURL + arguments.query).joined(separator: "&")
            .split(separator: "&").map { pair -> String in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decoded)
                return "(\(Self.literal(parts[0])), \(Self.literal(parts.count == 2 ? parts[1] : "")))"
            }
        return pairs.isEmpty ? [] : [".query([\(pairs.joined(separator: ", "))])"]
    }

    private static func decoded(_ text: Substring) -> String {
        let text = text.replacing("+", with: " ")
        return String(text).removingPercentEncoding ?? String(text)
    }

    private var headers: [String] {
        let isJSON = arguments.content.isJSON && !arguments.hasHeader("Accept")
        let implied = isJSON ? [#".accept("application/json")"#] : []
        let own = arguments.headers.filter { !isContentType($0) }.map { header in
            let name = header.name.lowercased()
            if name == "authorization", header.value.hasPrefix("Bearer ") {
                return ".bearer(\(Self.literal(String(header.value.dropFirst(7)))))"
            }
            if name == "accept" { return ".accept(\(Self.literal(header.value)))" }
            return ".addHeader(\(Self.literal(header.name)), \(Self.literal(header.value)))"
        }
        return own + implied
    }

    private func isContentType(_ header: CURLArguments.Field) -> Bool {
        header.name.lowercased() == "content-type" && hasContent && !arguments.content.isUpload
    }

    private var credentials: [String] {
        let hasOwn = arguments.hasHeader("Authorization")
        let login = arguments.user ?? arguments.completeURL.login
        guard let user = login, !arguments.usesDigest, !hasOwn else { return [] }
        let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let password = parts.count == 2 ? parts[1] : ""
        return [".basic(\(Self.literal(parts[0])), \(Self.literal(password)))"]
    }

    private var content: [String] {
        guard hasContent else { return [] }
        return contentModifiers + (["GET", "OPTIONS"].contains(method) ? [".allowsContent()"] : [])
    }

    private var contentModifiers: [String] {
        let content = arguments.content
        if content.isForm { return content.parts.map(Self.part) }
        if let file = content.file {
            let type = content.isUpload ? "" : ", contentType: \(Self.literal(mediaType))"
            return [".file(\(Self.literal(file))\(type))"]
        }
        return [".text(\(Self.literal(content.text ?? "")), contentType: \(Self.literal(mediaType)))"]
    }

    private var mediaType: String {
        let own = arguments.headers.last { $0.name.lowercased() == "content-type" }?.value
        return own ?? (arguments.content.isJSON ? "application/json" : FormText.mediaType)
    }

    private static func part(_ part: CURLContent.Part) -> String {
        switch part.value {
        case .text(let text): return ".multipart(name: \(literal(part.name)), value: \(literal(text)))"
        case .file(let path):
            let fileName = part.fileName.map { ", fileName: \(literal($0))" } ?? ""
            let type = part.mediaType.map { ", contentType: \(literal($0))" } ?? ""
            return ".multipart(name: \(literal(part.name)), file: \(literal(path))\(fileName)\(type))"
        }
    }

    private var limits: [String] {
        var lines: [String] = []
        if let timeout = arguments.timeout { lines.append(".timeout(.seconds(\(timeout)))") }
        if let timeout = arguments.connectTimeout { lines.append(".timeout(connect: .seconds(\(timeout)))") }
        if let rate = arguments.rate { lines.append(".limitRate(download: \(rate), upload: \(rate))") }
        if let retries = arguments.retries { lines.append(".retry(\(retries + 1))") }
        return lines
    }
}

extension SwiftFunction {
    /// `api.example.com` → `ExampleService`.
    private var serviceName: String {
        let isAddress = target.host.allSatisfy { $0.isNumber || ".:[]".contains($0) }
        let labels = target.host.split(separator: ".")
        let label = isAddress ? "Local" : labels.dropLast(labels.count > 1 ? 1 : 0).last ?? "Example"
        let words = label.split { !$0.isLetter && !$0.isNumber }.map { $0.capitalizedFirst }
        return "\(words.joined())Service".withoutLeadingNumber
    }

    /// `GET /users/7` → `getUsers7`.
    private var functionName: String {
        let path = target.path.removingPercentEncoding ?? target.path
        let words = path.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map { $0.capitalizedFirst }
        let verb = method.lowercased().filter { $0.isLetter }
        return "\(verb.isEmpty ? "load" : verb)\(words.prefix(4).joined())"
    }

    static func literal(_ text: some StringProtocol) -> String {
        // Bytes, and not characters: a combining mark would hide the quote before it.
        let bytes = text.utf8
        let hasSpecial = bytes.contains { "\"\\".utf8.contains($0) }
        let isPlain = !text.unicodeScalars.contains(where: VisibleText.isHidden)
        let endsRawLiteral = bytes.firstRange(of: "\"#".utf8) != nil || bytes.firstRange(of: "\\#".utf8) != nil
        if hasSpecial, isPlain, !endsRawLiteral { return "#\"\(text)\"#" }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where VisibleText.isHidden(scalar):
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension StringProtocol {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension String {
    fileprivate var withoutLeadingNumber: String { first?.isNumber == true ? "_\(self)" : self }
}
