// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// The folder with the mock files of one service, such as `Mocks/GitHub`.
///
/// A file belongs to the request whose name or template is the file's own name: `repositories.json`,
/// `repositories.http`, `users/{user}/repos.json`. With a method after the name, as in `users/{user}/repos.GET.http`,
/// it belongs only to requests with this method. The file of a template without any segment is `index`.
struct MockFolder: Sendable {
    struct Entry: Sendable {
        /// The path within the folder.
        let name: String
        /// The name or the template of its request.
        let key: String
        /// `nil` for any method.
        let method: String?
    }

    let path: String
    let entries: [Entry]

    /// Lists a folder that must exist.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` if it does not exist, or cannot be read.
    static func read(_ path: String) throws(SwiftyError) -> MockFolder {
        if let folder = MockFolder(path: path) { return folder }
        let fact = FileManager.default.fileExists(atPath: path) ? "cannot be read" : "does not exist"
        throw .mockUnavailable("the folder of mock files \(path) \(fact)")
    }

    /// Lists the folder; `nil` if it does not exist. A relative path is resolved now, and not for each file.
    init?(path: String) {
        let path = FilePlace.absolute(path)
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: path) else { return nil }
        self.path = path
        entries = names.sorted().compactMap { name in
            var isFolder: ObjCBool = false
            let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
            guard !isHidden, !name.hasSuffix(".md"),
                FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder), !isFolder.boolValue
            else { return nil }
            return Entry(name)
        }
    }

    /// The first folder of a service among the folders of mock files.
    static func find(_ service: String, _ directory: String?, callerFile: String) -> MockFolder? {
        let file = MockFile(name: service, callerFile: callerFile)
        return file.candidates(directory: directory).firstResult { MockFolder(path: $0) }
    }

    /// The file that answers a request, with the values of variables in its path; `nil` if none does.
    ///
    /// A name takes precedence over a template, and a template over the path itself, by which the files of redirects
    /// and those exported from cassettes of other programs are found. A file for one method takes precedence over one
    /// for all, and one for GET also answers HEAD.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` if two files match equally well.
    func found(for request: MockedRequest) throws(SwiftyError) -> (entry: Entry, values: [String: String])? {
        if let entry = try entry(for: request) { return (entry, [:]) }
        guard request.isAtOwnOrigin else { return nil }
        for path in [request.relativePath, request.path].compactMap(\.self) {
            if let found = try entry(method: request.method, path: path) { return found }
        }
        return nil
    }

    private func entry(for request: MockedRequest) throws(SwiftyError) -> Entry? {
        let template = request.template.map { Self.key(ofTemplate: $0) }
        let methods = [request.method] + (request.method == "HEAD" ? ["GET"] : []) + [nil]
        for key in [request.name, template].compactMap(\.self) {
            for method in methods {
                let found = entries.filter { $0.key == key && $0.method == method }
                if found.count > 1 { throw ambiguous(found) }
                if let entry = found.first { return entry }
            }
        }
        return nil
    }

    static func key(ofTemplate template: String) -> String {
        let path = MockPath.normalize(template)
        return path.isEmpty ? "index" : path
    }
}

extension MockFolder.Entry {
    init(_ path: String) {
        name = path
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        var rest = path.dropFirst(folder.count)
        for suffix in [".http", ".response.json"] where rest.hasSuffix(suffix) {
            rest = rest.dropLast(suffix.count)
        }
        if rest.endIndex == path.endIndex, let dot = rest.lastIndex(of: ".") { rest = rest[..<dot] }
        let last = rest.lastIndex(of: ".").map { rest[rest.index(after: $0)...] } ?? ""
        let isMethod = !last.isEmpty && last.allSatisfy { $0.isASCII && $0.isUppercase }
        method = isMethod ? String(last) : nil
        key = String(folder + (isMethod ? rest.dropLast(last.count + 1) : rest))
    }
}
