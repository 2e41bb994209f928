// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// The content of a HAR 1.2 file (http://www.softwareishard.com/blog/har-12-spec/), as far as it is needed to replay
/// it. Names that begin with `_` are Swifty's own, as the format allows.
struct HARFile: Codable {
    var log: HARLog
}

struct HARLog: Codable {
    var version: String
    var creator: HARCreator
    var entries: [HAREntry]
    /// What was left out of a file of another program, a sentence each; not stored.
    var skipped: [String] = []

    private enum CodingKeys: String, CodingKey {
        case version, creator, entries
    }
}

extension HARLog {
    /// Other programs omit what they do not know, even members that the format requires; the same applies below.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decodeIfPresent(String.self, forKey: .version) ?? ""
        creator = (try? container.decode(HARCreator.self, forKey: .creator)) ?? HARCreator(name: "", version: "")
        if creator.name == Cassette.ownName {
            entries = try container.decode([HAREntry].self, forKey: .entries)
        } else {
            let foreign = try container.decode([ForeignEntry].self, forKey: .entries)
            (entries, skipped) = (foreign.compactMap(\.entry), foreign.compactMap(\.skipped))
        }
    }
}

struct HARCreator: Codable {
    var name: String
    var version: String
}

extension HARCreator {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        version = (try? container.decode(String.self, forKey: .version)) ?? ""
    }
}

struct HAREntry: Codable {
    var startedDateTime: String
    /// Milliseconds.
    var time: Double
    var request: HARRequest
    var response: HARResponse
    var cache = HARCache()
    var timings: HARTimings
    /// The name of the request in its service.
    var _name: String?
    /// The template of the path below the base URL of its service.
    var _template: String?
    /// The failure of the transfer, in place of a response.
    var _failure: HARFailure?
    /// What the request says about its secrets; not stored.
    var secrets: RequestSecrets?

    private enum CodingKeys: String, CodingKey {
        case startedDateTime, time, request, response, cache, timings, _name, _template, _failure
    }
}

extension HAREntry {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        startedDateTime = try container.decodeIfPresent(String.self, forKey: .startedDateTime) ?? ""
        time = try container.decodeIfPresent(Double.self, forKey: .time) ?? 0
        request = try container.decode(HARRequest.self, forKey: .request)
        response = try container.decode(HARResponse.self, forKey: .response)
        // Only shown: errors in them must not prevent a replay.
        timings = (try? container.decode(HARTimings.self, forKey: .timings)) ?? HARTimings()
        _name = try container.decodeIfPresent(String.self, forKey: ._name)
        _template = try container.decodeIfPresent(String.self, forKey: ._template)
        _failure = try container.decodeIfPresent(HARFailure.self, forKey: ._failure)
    }
}

struct HARCache: Codable {}

struct HARTimings: Codable {
    var send = 0.0
    var wait = 0.0
    var receive = 0.0
}

struct HARPair: Codable {
    var name: String
    var value: String
}

extension HARPair {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        value = try container.decodeIfPresent(String.self, forKey: .value) ?? ""
    }
}

struct HARRequest: Codable {
    var method: String
    var url: String
    var httpVersion = "HTTP/1.1"
    var cookies: [HARPair] = []
    var headers: [HARPair] = []
    var queryString: [HARPair] = []
    var postData: HARContent?
    var headersSize = -1
    var bodySize: Int
}

extension HARRequest {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        method = Self.normalized(method: try container.decode(String.self, forKey: .method))
        url = Self.normalized(url: try container.decode(String.self, forKey: .url))
        httpVersion = try container.decodeIfPresent(String.self, forKey: .httpVersion) ?? ""
        headers = try container.decodeIfPresent([HARPair].self, forKey: .headers) ?? []
        queryString = try container.decodeIfPresent([HARPair].self, forKey: .queryString) ?? []
        postData = try container.decodeIfPresent(HARContent.self, forKey: .postData)
        bodySize = try container.decodeIfPresent(Int.self, forKey: .bodySize) ?? -1
    }

    /// The URL as in a request: the host in lower case, without default port, user information and fragment.
    private static func normalized(url: String) -> String {
        guard let scheme = URIReference(url).scheme?.lowercased(), TargetURI.Scheme(rawValue: scheme) != nil,
            let base = try? TargetURI("http://localhost"),
            let target = try? TargetURI.resolve(url.utf8, against: base).target
        else { return url }
        return target.string
    }

    /// A standard method in capital letters; others are compared as they are (RFC 9110 §9.1).
    private static func normalized(method: String) -> String {
        let name = method.uppercased()
        return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].contains(name) ? name : method
    }
}

struct HARResponse: Codable {
    var status: Int
    var statusText = ""
    var httpVersion = ""
    var cookies: [HARPair] = []
    var headers: [HARPair] = []
    var content = HARContent(Data(), type: nil)
    var redirectURL = ""
    var headersSize = -1
    var bodySize = -1
}

extension HARResponse {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = try container.decode(Int.self, forKey: .status)
        statusText = try container.decodeIfPresent(String.self, forKey: .statusText) ?? ""
        httpVersion = try container.decodeIfPresent(String.self, forKey: .httpVersion) ?? ""
        headers = try container.decodeIfPresent([HARPair].self, forKey: .headers) ?? []
        content = try container.decodeIfPresent(HARContent.self, forKey: .content) ?? HARContent(Data(), type: nil)
        redirectURL = try container.decodeIfPresent(String.self, forKey: .redirectURL) ?? ""
        bodySize = try container.decodeIfPresent(Int.self, forKey: .bodySize) ?? -1
    }
}

/// The content of a request (`postData`) or a response: text, or bytes in Base64.
struct HARContent: Codable {
    /// `nil` for the content of a request.
    var size: Int?
    var compression: Int?
    var mimeType: String
    var text: String?
    var encoding: String?
    /// The encoding of the content of a request, for which the format has none.
    var _encoding: String?
    /// Whether the bytes are in the codings that the field `Content-Encoding` names. Other programs, and usually this
    /// one, store them decoded.
    var _isCoded: Bool?

    init(_ bytes: Data, type: String?, isRequest: Bool = false) {
        size = isRequest ? nil : bytes.count
        mimeType = type ?? ""
        // Only valid UTF-8 is restored unchanged.
        if let text = String(validating: bytes, as: UTF8.self) {
            self.text = text
        } else {
            text = bytes.base64EncodedString()
            if isRequest { _encoding = "base64" } else { encoding = "base64" }
        }
    }

    private enum FormKeys: CodingKey {
        case params
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        size = try container.decodeIfPresent(Int.self, forKey: .size)
        compression = try container.decodeIfPresent(Int.self, forKey: .compression)
        mimeType = try container.decodeIfPresent(String.self, forKey: .mimeType) ?? ""
        text = try container.decodeIfPresent(String.self, forKey: .text)
        encoding = try container.decodeIfPresent(String.self, forKey: .encoding)
        _encoding = try container.decodeIfPresent(String.self, forKey: ._encoding)
        _isCoded = try container.decodeIfPresent(Bool.self, forKey: ._isCoded)
        // A form may be stored as its fields only.
        let form = try decoder.container(keyedBy: FormKeys.self)
        if text == nil, let fields = try? form.decode([HARPair].self, forKey: .params), !fields.isEmpty {
            text = FormContent.text(fields.map { ($0.name, $0.value) })
        }
    }

    /// The bytes; `nil` if the text is not in its encoding.
    var bytes: Data? {
        guard (encoding ?? _encoding) == "base64" else { return Data((text ?? "").utf8) }
        return Data(base64Encoded: text ?? "", options: .ignoreUnknownCharacters)
    }
}

/// A failure of a transfer.
struct HARFailure: Codable {
    var code: String
    var stage: String
    var sent: String
    var reason: String
    var timeLimit: String?
}
