// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// The request of a curl command as a draft, and what only the network interface can set on it.
package struct CURLRequest {
    /// The draft, with the first error in the command.
    package private(set) var draft: RequestDraft
    /// The user and the password for Digest; `nil` without them.
    package private(set) var digest: (user: String, password: String)?
    /// The largest content of a response, in bytes.
    package private(set) var contentLimit: Int?

    /// - Parameters:
    ///   - command: The command, quoted for a shell.
    ///   - function: The name of the function that describes the request.
    package init(_ command: String, function: StaticString) {
        draft = RequestDraft(method: .get, template: "", coding: .standard)
        draft.definition = function
        do throws(CURLError) {
            let words = try ShellWords(command)
            let arguments = try CURLArguments(words.words)
            if let expansion = words.expansions.first { throw Self.unexpanded(expansion) }
            set(arguments)
        } catch {
            draft.fail(error)
        }
    }

    private static func unexpanded(_ text: String) -> CURLError {
        // Other text after a dollar may be a part of a secret.
        let isName = text.utf8.dropFirst().allSatisfy { Self.bytesOfNames.contains($0) }
        let shown = isName || ["`…`", "$(…)"].contains(text) ? text : "$…"
        return CURLError("A shell would expand \(shown): put the value in its place, or write it in single quotes.")
    }

    private static let bytesOfNames = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_{}".utf8)

    private mutating func set(_ arguments: CURLArguments) {
        setMethod(arguments)
        do throws(TargetURI.ValidationError) {
            let url = arguments.completeURL
            let target = try TargetURI(url.text)
            draft.target = target
            draft.base = BaseTarget(target)
            setLogin(arguments.user ?? url.login, arguments)
            check(arguments, isSecure: target.scheme == .https)
        } catch {
            draft.fail(.invalidURL, "the URL of the curl command cannot be used: \(error.reason)")
        }
        for text in arguments.query { draft.addQuery(text) }
        for field in arguments.headers { draft.setHeader(field.name, field.value, replacing: false) }
        setContent(arguments)
        setLimits(arguments)
        let kept = Set(arguments.headers.map { $0.name.lowercased() })
        for name in arguments.removedHeaders where !kept.contains(name.lowercased()) { draft.removeHeader(name) }
    }

    /// Keeps the error of the first option that is neither carried over nor ignored.
    private mutating func check(_ arguments: CURLArguments, isSecure: Bool) {
        for element in arguments.uncarried where !element.option.isIgnored(isSecure: isSecure) {
            var setting = ""
            if case .setting(let note) = element.option.role { setting = "; it is set on the Swifty (\(note))" }
            draft.fail(CURLError("The curl option \"\(element.word)\" cannot be carried over\(setting)."))
        }
        for reason in arguments.losses { draft.fail(CURLError(reason)) }
    }

    private mutating func setMethod(_ arguments: CURLArguments) {
        let text = arguments.methodText
        if let method = HTTPRequest.Method(text), method != .connect {
            draft.method = method
        } else {
            draft.fail(.invalidMethod, "\"\(text)\" cannot be the method of a request")
        }
    }
}

// MARK: - Fields and limits

extension CURLRequest {
    /// Sets the login, unless the command has its own `Authorization`.
    private mutating func setLogin(_ login: String?, _ arguments: CURLArguments) {
        guard let login, !arguments.hasHeader("Authorization") else { return }
        let user = login.prefix { $0 != ":" }
        let password = String(login.dropFirst(user.count + 1))
        if arguments.usesDigest {
            digest = (String(user), password)
        } else {
            let credentials = Data("\(user):\(password)".utf8).base64EncodedString()
            draft.setHeader(.authorization, "Basic \(credentials)", replacing: true)
        }
    }

    private mutating func setLimits(_ arguments: CURLArguments) {
        if let seconds = arguments.timeout { draft.setTimeout(\.total, .seconds(seconds)) }
        if let seconds = arguments.connectTimeout { draft.setTimeout(\.connect, .seconds(seconds)) }
        if let retries = arguments.retries { draft.retryPolicy = RetryPolicy(maximumAttempts: retries + 1) }
        if let rate = arguments.rate {
            draft.changeTransfer { values in
                values.download = Bandwidth(bytesPerSecond: rate)
                values.upload = Bandwidth(bytesPerSecond: rate)
            }
        }
        guard let element = arguments.uncarried.last(where: { $0.option.name == "max-filesize" }) else { return }
        do throws(CURLError) {
            contentLimit = try CURLArguments.byteCount(element)
        } catch {
            draft.fail(error)
        }
    }
}

// MARK: - Content

extension CURLRequest {
    private mutating func setContent(_ arguments: CURLArguments) {
        let content = arguments.content
        if content.isJSON, !arguments.hasHeader("Accept") {
            draft.setHeader(.accept, "application/json", replacing: true)
        }
        guard content.isSent else { return }
        draft.isContentAllowed = true
        if content.isForm {
            setForm(content.parts)
        } else if let file = content.file {
            draft.setContent(.file(path: file), contentType: content.isUpload ? nil : content.mediaType)
        } else if let text = content.text {
            draft.setContent(.data(UndecodedBytes.data(of: text)), contentType: content.mediaType)
        }
    }

    /// Sets a form. A `Content-Type` without a boundary is left out, as the form has one with it.
    private mutating func setForm(_ parts: [CURLContent.Part]) {
        var form = MultipartForm()
        for part in parts {
            let part = part.formPart
            if let error = part.validationError { draft.fail(.invalidHeader, error) }
            form.parts.append(part)
        }
        draft.setContent(.multipart(form), contentType: form.contentType)
        guard let type = draft.headers[.contentType] else { return }
        if MediaType.essence(of: type) == "multipart/form-data", !type.contains(";") {
            draft.headers[.contentType] = nil
        } else {
            draft.fail(CURLError("The form of the curl command has a Content-Type of -H."))
        }
    }
}

extension CURLContent {
    fileprivate var mediaType: String { isJSON ? "application/json" : "application/x-www-form-urlencoded" }
}

extension CURLContent.Part {
    fileprivate var formPart: MultipartForm.Part {
        let name = name
        var headers: [String: String] = [:]
        for field in fields {
            let key = field.prefix { $0 != ":" }
            headers[String(key)] = field.dropFirst(key.count + 1).trimmingCharacters(in: .whitespaces)
        }
        switch value {
        case .text(let text):
            return MultipartForm.Part(
                name: name,
                fileName: fileName,
                contentType: mediaType,
                headers: headers,
                content: .data(Data(text.utf8))
            )
        case .file(let path):
            let fileName = fileName ?? path.split(separator: "/").last.map(String.init) ?? path
            return MultipartForm.Part(
                name: name,
                fileName: fileName,
                contentType: mediaType ?? MediaType.forFile(named: fileName),
                headers: headers,
                content: .file(path: path)
            )
        }
    }
}

extension RequestDraft {
    fileprivate mutating func fail(_ error: CURLError) { fail(.requestRefused, error.reason) }

    fileprivate mutating func setTimeout(
        _ limit: WritableKeyPath<NetworkRequest.Timeouts, Duration?>,
        _ duration: Duration
    ) {
        if duration <= .zero { fail(.invalidTimeout, "a time limit of the curl command is not longer than zero") }
        timeouts[keyPath: limit] = duration
    }
}
