// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A patch as the content of a request", .timeLimit(.minutes(15)))
struct PatchContentTests {
    private let json: JSONFormat = .json { options in
        options.sortsKeys = true
        options.dates = .iso8601
    }

    @Test("has the media type of its kind, and the values in the format of the service")
    func content() async throws {
        let start = Date(timeIntervalSince1970: 0)
        let patch = try await freeze(
            server().patch("a/1").format(json).jsonPatch([.test("/v", 3), .add("/at", start), .remove("/x")])
        )
        #expect(patch.headers[.contentType] == "application/json-patch+json")
        #expect(
            patch.content.data.map { String(decoding: $0, as: UTF8.self) }
                == #"[{"op":"test","path":"\/v","value":3},{"op":"add","path":"\/at","value":"1970-01-01T00:00:00Z"},"#
                + #"{"op":"remove","path":"\/x"}]"#
        )
        let merge = try await freeze(
            server().patch("a/1").format(json).mergePatch { patch in
                patch.set("at", start)
                patch.remove("draft")
                patch.set(at: "/author/name", "Ada")
            }
        )
        #expect(merge.headers[.contentType] == "application/merge-patch+json")
        #expect(
            merge.content.data.map { String(decoding: $0, as: UTF8.self) }
                == #"{"at":"1970-01-01T00:00:00Z","author":{"name":"Ada"},"draft":null}"#
        )
    }

    @Test("with a pointer that is none fails the load")
    func badPointer() async {
        let error = await #expect(throws: SwiftyError.self) {
            try await freeze(server().patch("a").jsonPatch([.remove("title")]))
        }
        #expect(error?.code == .encodingFailed)
    }
}
